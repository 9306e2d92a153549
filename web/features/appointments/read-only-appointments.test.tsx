import { defaultAvailability } from '@flashsheet/contracts/appointments/limits'
import { studioPlan } from '@flashsheet/contracts/plans'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { rememberUser } from '../../lib/remembered-user.ts'
import { trpc } from '../../lib/trpc.ts'
import { ada, lineWork, refusal, renderWithAnswers } from '../../test-fixture.tsx'
import { AppointmentsScreen } from './appointments-screen.tsx'
import { ReadOnlyAppointments } from './read-only-appointments.tsx'

afterEach(() => void vi.useRealTimers())

test('a failed list of upcoming appointments is named, and can be loaded again', async () => {
  let isDown = true
  await renderWithAnswers(<ReadOnlyAppointments />, {
    appointments: {
      kept: () => {
        if (isDown) throw refusal(403, { message: 'not now', code: 'forbidden' })
        return []
      },
    },
    auth: { studioZone: () => ({ timeZone: 'America/New_York' }) },
    subscription: { mine: () => lineWork },
  })
  const alert = page.getByText('not now')
  await expect.element(alert).toBeVisible()
  isDown = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(alert).not.toBeInTheDocument()
})

/** The calendar of an artist whose plan includes bookings while `hasPlan`. `reload`: as after a while in another window. */
async function openedCalendar(hasPlan: boolean) {
  const plan = { hasPlan, reload: async () => {} }
  const ifIncluded = <T,>(answer: T) => {
    if (plan.hasPlan) return answer
    throw refusal(403, { message: 'Not in this plan.', code: 'plan' })
  }
  function Screen() {
    const utils = trpc.useUtils()
    plan.reload = async () => await utils.appointments.availability.invalidate()
    return <AppointmentsScreen linked={undefined} onUnlink={() => {}} />
  }
  rememberUser(ada)
  onTestFinished(() => rememberUser(null))
  await renderWithAnswers(<Screen />, {
    appointments: {
      availability: () => ifIncluded({ ...defaultAvailability, timeZone: 'America/New_York', isSet: true }),
      list: () => [],
      setAside: () => [],
      kept: () => [],
    },
    auth: { me: () => ada, studioZone: () => ({ timeZone: 'America/New_York' }) },
    subscription: { mine: () => ({ ...lineWork, plan: plan.hasPlan ? 'complete-shading' : lineWork.plan }) },
    website: {
      site: () => {
        throw refusal(403, { message: 'Not in this plan.', code: 'plan' })
      },
    },
  })
  return plan
}
const offer = page.getByText(`Appointments come with ${studioPlan.name}`)

test('the calendar opens by itself once another device has bought the plan', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const plan = await openedCalendar(false)
  await expect.element(offer).toBeVisible()
  plan.hasPlan = true
  vi.advanceTimersByTime(3000)
  vi.useRealTimers()
  await expect.element(page.getByRole('heading', { name: 'No appointments in this period' })).toBeVisible()
})

test('what was typed when another device changed to a smaller plan is restored with the larger one', async () => {
  const plan = await openedCalendar(true)
  const notes = page.getByRole('textbox', { name: 'Notes' })
  await page.getByRole('button', { name: 'New appointment' }).first().click()
  await notes.fill('Bring the drawing')
  plan.hasPlan = false
  await plan.reload()
  await expect.element(offer).toBeVisible()
  plan.hasPlan = true
  await plan.reload()
  await expect.element(notes).toHaveValue('Bring the drawing')
})
