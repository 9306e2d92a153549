import { onTestFinished, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { rememberUser } from '../../lib/remembered-user.ts'
import { ada } from '../../test-fixture.tsx'
import { toast } from '../../ui/toast.tsx'
import './app-providers.tsx'

test('the toasts of a user are closed when another logs in, but not when the same does', async () => {
  onTestFinished(() => rememberUser(null))
  const undo = page.getByRole('button', { name: 'Undo' })
  rememberUser(ada)
  toast.success('Draft deleted.', undefined, { label: 'Undo', onPress: () => {} })
  await expect.element(undo).toBeVisible()
  rememberUser(null)
  rememberUser(ada)
  toast.success('Logged in again')
  await expect.element(page.getByText('Logged in again')).toBeVisible()
  await expect.element(undo).toBeVisible()
  rememberUser(null)
  rememberUser({ ...ada, _id: 'another' })
  toast.success('Another is logged in')
  await expect.element(page.getByText('Another is logged in')).toBeVisible()
  expect(undo.elements()).toEqual([])
})
