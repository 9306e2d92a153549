import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { refusal, renderWithAnswers } from '../../test-fixture.tsx'
import { ReadOnlyAppointments } from './read-only-appointments.tsx'

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
  })
  const alert = page.getByText('not now')
  await expect.element(alert).toBeVisible()
  isDown = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(alert).not.toBeInTheDocument()
})
