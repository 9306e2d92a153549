import type { UserInfo } from '@flashsheet/contracts/auth/schema'
import { expect, onTestFinished, test } from 'vitest'
import { onOtherUser, rememberUser } from './remembered-user.ts'

const user = (name: string) =>
  ({ _id: name, name, email: `${name}@example.com`, isAdmin: false, isActive: true, isEmailVerified: true }) as UserInfo

test('a page that Back restores notices that another user has logged in meanwhile', () => {
  rememberUser(user('mara'))
  onTestFinished(() => rememberUser(null))
  let calls = 0
  onTestFinished(onOtherUser(() => (calls += 1)))
  const restore = () => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  restore()
  expect(calls).toBe(0)
  localStorage.setItem('userInfo', JSON.stringify(user('jonas')))
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }))
  expect(calls).toBe(0)
  restore()
  expect(calls).toBe(1)
})
