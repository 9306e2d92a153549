import { defaultAvailability } from '@flashsheet/contracts/appointments/limits'
import { appointmentMessages } from '@flashsheet/contracts/appointments/messages'
import type { Appointment } from '@flashsheet/contracts/appointments/schema'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { trpc } from '../../lib/trpc.ts'
import { noConnection, refusal, renderWithAnswers } from '../../test-fixture.tsx'
import { bookedAppointment } from './appointment-fixture.ts'
import { AppointmentsScreen } from './appointments-screen.tsx'

afterEach(() => {
  vi.useRealTimers()
  sessionStorage.clear()
})

const noAppointments = (timeZone: string) => ({
  appointments: {
    availability: () => ({ ...defaultAvailability, timeZone, isSet: true }),
    list: () => [],
    setAside: () => [],
  },
  website: {
    site: () => {
      throw refusal(403, { message: 'Not in this plan.', code: 'plan' })
    },
  },
})

// The two studios are a day apart at this instant, so the viewer's day is not that of both.
test.each([
  { timeZone: 'Pacific/Kiritimati', title: 'Wednesday, November 16, 2039' },
  { timeZone: 'Pacific/Pago_Pago', title: 'Monday, November 14, 2039' },
])('begins at today in $timeZone, the zone of the studio', async ({ timeZone, title }) => {
  await page.viewport(1280, 900)
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2039-11-15T10:30:00Z') })
  await renderWithAnswers(<AppointmentsScreen linked={undefined} onUnlink={() => {}} />, noAppointments(timeZone))
  await page.getByRole('button', { name: 'Day', exact: true }).click()
  await expect.element(page.getByRole('heading', { name: title })).toBeVisible()
})

test.each([
  { timeZone: 'Asia/Kolkata', isShown: false },
  { timeZone: 'Asia/Kathmandu', isShown: true },
])('names the zone of the studio to a viewer in Asia/Calcutta: $timeZone, $isShown', async ({ timeZone, isShown }) => {
  const options = Intl.DateTimeFormat().resolvedOptions()
  const resolved = vi
    .spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
    .mockReturnValue({ ...options, timeZone: 'Asia/Calcutta' })
  onTestFinished(() => resolved.mockRestore())
  await renderWithAnswers(<AppointmentsScreen linked={undefined} onUnlink={() => {}} />, noAppointments(timeZone))
  await expect.element(page.getByRole('button', { name: 'Booking hours' })).toBeEnabled()
  expect(page.getByText(/^Times are your studio’s/).elements()).toHaveLength(isShown ? 1 : 0)
})

const request = bookedAppointment({ status: 'pending', answerBy: '2039-11-08T15:00:00.000Z' })

test('a save that ends after the screen was left is reported, and does not lead back to it', async () => {
  const answer = Promise.withResolvers<Appointment>()
  const onUnlink = vi.fn<() => void>()
  const screen = await renderWithAnswers(<AppointmentsScreen linked={request._id} onUnlink={onUnlink} />, {
    appointments: {
      availability: () => ({ ...defaultAvailability, timeZone: 'America/New_York', isSet: true }),
      list: () => [request],
      setAside: () => [],
      get: () => request,
      update: async () => await answer.promise,
    },
    website: {
      site: () => {
        throw refusal(403, { message: 'Not in this plan.', code: 'plan' })
      },
    },
  })
  await page.getByRole('button', { name: 'Accept' }).click()
  await expect.poll(() => screen.calls.some(({ path }) => path === 'appointments.update')).toBe(true)
  await screen.unmount()
  answer.resolve({ ...request, status: 'confirmed', answerBy: null })
  await expect.element(page.getByRole('alertdialog').getByText(appointmentMessages.updated)).toBeVisible()
  expect(onUnlink).not.toHaveBeenCalled()
})

test('an appointment that is gone when it is deleted counts as deleted, since the browser may send the request twice', async () => {
  const onUnlink = vi.fn<() => void>()
  await renderWithAnswers(<AppointmentsScreen linked={request._id} onUnlink={onUnlink} />, {
    appointments: {
      availability: () => ({ ...defaultAvailability, timeZone: 'America/New_York', isSet: true }),
      list: () => [],
      setAside: () => [],
      get: () => request,
      remove: () => {
        throw refusal(404, { message: appointmentMessages.gone, code: 'notFound' })
      },
    },
    website: {
      site: () => {
        throw refusal(403, { message: 'Not in this plan.', code: 'plan' })
      },
    },
  })
  await page.getByRole('button', { name: 'Delete appointment' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect.element(page.getByText(appointmentMessages.deleted)).toBeVisible()
  expect(onUnlink).toHaveBeenCalled()
})

test('shows appointments at their times after the time zone of the studio was changed', async () => {
  await page.viewport(1280, 900)
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2039-11-15T10:30:00Z') })
  let timeZone = 'America/New_York'
  let reload = async () => {}
  function Screen() {
    const utils = trpc.useUtils()
    reload = async () => await utils.appointments.availability.invalidate()
    return <AppointmentsScreen linked={undefined} onUnlink={() => {}} />
  }
  const { container } = await renderWithAnswers(<Screen />, {
    appointments: {
      availability: () => ({ ...defaultAvailability, timeZone, isSet: true }),
      list: () => [bookedAppointment()],
      setAside: () => [],
    },
    website: {
      site: () => {
        throw refusal(403, { message: 'Not in this plan.', code: 'plan' })
      },
    },
  })
  await page.getByRole('button', { name: 'Week', exact: true }).click()
  const hourOf = () => {
    const style = container.querySelector<HTMLElement>('.sx__time-grid-event')?.style
    return Math.round((parseFloat(style?.insetBlockStart || style?.top || '') / 100) * 24)
  }
  await expect.poll(hourOf).toBe(10)
  timeZone = 'Europe/Berlin'
  await reload()
  await expect.poll(hourOf).toBe(16)
})

test('keeps showing the appointments if the booking hours cannot be loaded again', async () => {
  let isDown = false
  let reload = async () => {}
  function Screen() {
    const utils = trpc.useUtils()
    reload = async () => await utils.appointments.availability.invalidate()
    return <AppointmentsScreen linked={undefined} onUnlink={() => {}} />
  }
  await renderWithAnswers(<Screen />, {
    appointments: {
      availability: () => {
        if (isDown) throw noConnection()
        return { ...defaultAvailability, timeZone: 'America/New_York', isSet: true }
      },
      list: () => [],
      setAside: () => [],
    },
    website: {
      site: () => {
        throw refusal(403, { message: 'Not in this plan.', code: 'plan' })
      },
    },
  })
  const empty = page.getByRole('heading', { name: 'No appointments in this period' })
  await expect.element(empty).toBeVisible()
  isDown = true
  await reload()
  await page.getByRole('button', { name: 'Agenda' }).click()
  await expect.element(page.getByRole('button', { name: 'Agenda' })).toHaveAttribute('aria-pressed', 'true')
  await expect.element(empty).toBeVisible()
  expect(page.getByRole('alert').elements()).toEqual([])
})
