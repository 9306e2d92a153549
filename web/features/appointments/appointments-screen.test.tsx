import { defaultAvailability } from '@flashsheet/contracts/appointments/limits'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { refusal, renderWithAnswers } from '../../test-fixture.tsx'
import { AppointmentsScreen } from './appointments-screen.tsx'

afterEach(() => {
  vi.useRealTimers()
  sessionStorage.clear()
})

// The two studios are a day apart at this instant, so the viewer's day is not that of both.
test.each([
  { timeZone: 'Pacific/Kiritimati', title: 'Wednesday, November 16, 2039' },
  { timeZone: 'Pacific/Pago_Pago', title: 'Monday, November 14, 2039' },
])('begins at today in $timeZone, the zone of the studio', async ({ timeZone, title }) => {
  await page.viewport(1280, 900)
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2039-11-15T10:30:00Z') })
  await renderWithAnswers(<AppointmentsScreen linked={undefined} onUnlink={() => {}} />, {
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
  await page.getByRole('button', { name: 'Day', exact: true }).click()
  await expect.element(page.getByRole('heading', { name: title })).toBeVisible()
})
