import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { renderWithAnswers } from '../../test-fixture.tsx'
import { OneTimeSecretDialog } from './one-time-secret-dialog.tsx'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

test('the second press of a double click that created the secret does not close it', async () => {
  await renderWithAnswers(
    <OneTimeSecretDialog open onClose={() => {}} title="Your new key" value="secret" action="Copy" copied="" failed="">
      It is not shown again.
    </OneTimeSecretDialog>,
    {},
  )
  const done = page.getByRole('button', { name: 'Done' })
  await expect.element(page.getByText('secret')).toBeVisible()
  await expect.element(done).toBeDisabled()
  vi.advanceTimersByTime(500)
  await expect.element(done).toBeEnabled()
})
