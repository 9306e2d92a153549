import type { Notice } from '@flashsheet/contracts/notices/schema'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ada, hitBySecondPress, renderWithAnswers } from '../../test-fixture.tsx'
import { AppShell } from '../shell/app-shell.tsx'

const notice = (number: number, title: string): Notice => ({
  _id: `019a0000-0000-7000-8000-00000000006${number}`,
  kind: 'account_reconnect',
  title,
  text: 'TikTok needs you.',
  link: '/social-accounts',
  action: 'Connect again',
  createdAt: `2039-11-01T12:00:0${number}.000Z`,
  readAt: null,
})
const bell = (name: string) => page.getByRole('button', { name, exact: true })

test('works by keyboard: opens, marks one and all as read, closes, and returns the focus', async () => {
  await page.viewport(1440, 900)
  let notices = [notice(3, 'Three'), notice(2, 'Two'), notice(1, 'One')]
  const list = () => ({ unread: notices.filter(({ readAt }) => readAt === null).length, notices })
  const markRead = (isRead: (one: Notice) => boolean) => {
    notices = notices.map((one) => (isRead(one) ? { ...one, readAt: '2039-11-02T12:00:00.000Z' } : one))
    return list()
  }
  const { calls } = await renderWithAnswers(<AppShell>The screen</AppShell>, {
    auth: { me: () => ada },
    subscription: { mine: () => null },
    notices: {
      list,
      read: ({ ids }) => markRead(({ _id }) => ids.includes(_id)),
      readAll: ({ until }) => markRead(({ createdAt }) => createdAt <= until),
    },
  })
  await expect.element(bell('Notices, 3 unread')).toBeVisible()
  ;(bell('Notices, 3 unread').element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  const panel = page.getByRole('dialog', { name: 'Notices' })
  const press = async (name: string | RegExp) => {
    ;(panel.getByRole('button', { name }).element() as HTMLElement).focus()
    await userEvent.keyboard('{Enter}')
  }
  await expect.element(panel.getByRole('button', { name: /^Mark as read: Two, 11\/1\/2039, / })).toBeVisible()
  await press(/^Mark as read: Two, /)
  await expect.element(panel.getByRole('link', { name: /^Two/ })).toBeVisible()
  await expect.element(panel.getByRole('link', { name: /^Two/ })).toHaveFocus()
  await press('Mark all as read')
  await expect.element(panel.getByRole('link', { name: /^Three/ })).toBeVisible()
  await expect.element(panel.getByText(/Unread:/)).not.toBeInTheDocument()
  expect(calls).toContainEqual({ path: 'notices.readAll', input: { until: '2039-11-01T12:00:03.000Z' } })
  await userEvent.keyboard('{Escape}')
  await expect.element(panel).not.toBeInTheDocument()
  await expect.element(bell('Notices')).toHaveFocus()
})

test('a double click that marks a notice as read does not follow its link', async () => {
  await page.viewport(1440, 900)
  let notices = [notice(2, 'Two'), notice(1, 'One')]
  const list = () => ({ unread: notices.filter(({ readAt }) => readAt === null).length, notices })
  await renderWithAnswers(<AppShell>The screen</AppShell>, {
    auth: { me: () => ada },
    subscription: { mine: () => null },
    notices: {
      list,
      read: ({ ids }) => {
        notices = notices.map((one) => (ids.includes(one._id) ? { ...one, readAt: one.createdAt } : one))
        return list()
      },
    },
  })
  await bell('Notices, 2 unread').click()
  const buttons = page.getByRole('button', { name: /^Mark as read/ })
  await expect.poll(() => buttons.elements()).toHaveLength(2)
  expect(await hitBySecondPress(buttons)).toBeNull()
})
