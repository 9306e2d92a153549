import { postMessages } from '@flashsheet/contracts/posts/messages'
import { queueMessages } from '@flashsheet/contracts/queue/messages'
import type { Queue } from '@flashsheet/contracts/queue/schema'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { newUuid } from '../../../lib/uuid.ts'
import { unsavedChangesNote } from '../../../lib/stored-value.ts'
import { ada, hitBySecondPress, noConnection, refusal, renderWithAnswers } from '../../../test-fixture.tsx'
import { connectedAccount } from '../../social/account-fixture.ts'
import { QueueScreen } from './queue-screen.tsx'

type Slot = Queue['slots'][number]

const facebook = connectedAccount(1, 'facebook', ['Black Quill'])
const youtube = connectedAccount(2, 'youtube', ['Quill on Film'])
const pageOf = ({ _id, pages }: SocialAccount) => ({ socialAccountId: _id, pageId: pages[0]?.pageId ?? '' })

/** The screen with a server that has these times; a change of `server` is like one by another window. */
async function opened(slots: Slot[] = [], user = { ...ada, _id: newUuid() }) {
  // On a phone a toast lies above the form.
  await page.viewport(1280, 900)
  const server = {
    queue: { timeZone: 'America/New_York', paused: false, slots } as Queue,
    accounts: [facebook, youtube],
    saved: [] as Slot[][],
    delay: undefined as Promise<undefined> | undefined,
    isAnswerLost: false,
  }
  const screen = await renderWithAnswers(<QueueScreen />, {
    // Unsaved changes are kept by user.
    auth: { me: () => user },
    posts: {
      queue: () => server.queue,
      nextSlots: () => (server.queue.slots.length === 0 ? [] : [{ at: '2039-11-16T14:30:00.000Z', pages: [] }]),
      saveQueue: async (change) => {
        await server.delay
        const wanted = change.slots?.flatMap((slot) => slot.pages ?? []) ?? []
        if (wanted.some((one) => !server.accounts.some(({ _id }) => _id === one.socialAccountId)))
          throw refusal(400, { message: 'Please check.', code: 'invalid', fields: { slots: postMessages.pageUnknown } })
        if (change.previousSlots && JSON.stringify(change.previousSlots) !== JSON.stringify(server.queue.slots))
          throw refusal(409, { message: queueMessages.stale, code: 'conflict' })
        if (change.slots) server.saved.push(change.slots)
        server.queue = {
          ...server.queue,
          paused: change.paused ?? server.queue.paused,
          slots: change.slots ?? server.queue.slots,
        }
        if (server.isAnswerLost) throw noConnection()
        return server.queue
      },
    },
    social: { accounts: () => server.accounts },
  })
  return Object.assign(server, { user, leave: async () => await screen.unmount() })
}

afterEach(() => localStorage.clear())

const button = (name: string) => page.getByRole('button', { name, exact: true })
const time = (at: number) => page.getByLabelText(`Time ${at}`, { exact: true })
const tickbox = (name: string | RegExp) => page.getByRole('checkbox', { name })

test('says that nothing can be queued without times, and shows the next slots after saving one', async () => {
  const server = await opened()
  await expect.element(page.getByText('There are no times yet, so nothing can be queued.')).toBeVisible()
  await expect.element(button('Save times')).not.toBeInTheDocument()
  await button('Add a time').click()
  await expect.element(time(1)).toHaveFocus()
  await time(1).fill('09:30')
  await button('Save times').click()
  await expect.element(page.getByText(queueMessages.saved)).toBeVisible()
  expect(server.saved).toEqual([[{ days: [1, 2, 3, 4, 5], time: '09:30' }]])
  await expect.element(page.getByText('Wednesday, Nov 16, 2039 at 9:30 AM')).toBeVisible()
})

test('a time without a day is refused before it is sent', async () => {
  const server = await opened([{ days: [1], time: '09:30' }])
  await button('Monday').click()
  await button('Save times').click()
  await expect.element(page.getByText(queueMessages.daysRequired)).toBeVisible()
  expect(server.saved).toEqual([])
  for (const day of ['Saturday', 'Monday']) await button(day).click()
  await expect.element(button('Monday')).toHaveAttribute('aria-pressed', 'true')
  await button('Save times').click()
  await expect.poll(() => server.saved).toEqual([[{ days: [1, 6], time: '09:30' }]])
})

test('keeps edited times when others are saved elsewhere, and can replace them with those', async () => {
  const [theirs, ours] = [
    { days: [6], time: '08:15' },
    { days: [1, 2, 3, 4, 5], time: '19:45' },
  ]
  const server = await opened()
  await button('Add a time').click()
  await time(1).fill(ours.time)
  server.queue = { ...server.queue, slots: [theirs] }
  // The answer to pausing contains the times that were saved elsewhere.
  const pause = page.getByText('Pause the queue')
  await pause.click()
  await expect.element(page.getByText(queueMessages.changedElsewhere)).toBeVisible()
  await expect.element(time(1)).toHaveValue(ours.time)

  await button(queueMessages.showOthers).click()
  await expect.element(time(1)).toHaveValue(theirs.time)
  await expect.element(page.getByText(queueMessages.changedElsewhere)).not.toBeInTheDocument()
  await expect.element(button('Save times')).not.toBeInTheDocument()

  await time(1).fill(ours.time)
  server.queue = { ...server.queue, slots: [theirs, theirs] }
  await pause.click()
  await expect.element(page.getByText(queueMessages.changedElsewhere)).toBeVisible()
  await button('Save times').click()
  await expect.poll(() => server.saved).toEqual([[{ ...theirs, time: ours.time }]])
  await expect.element(page.getByText(queueMessages.changedElsewhere)).not.toBeInTheDocument()
  await expect.element(button('Save times')).not.toBeInTheDocument()
})

test('a save does not overwrite times that another window has saved; the next one may', async () => {
  const theirs = { days: [6], time: '08:15' }
  const server = await opened()
  await button('Add a time').click()
  await time(1).fill('19:45')
  server.queue = { ...server.queue, slots: [theirs] }
  await button('Save times').click()
  await expect.element(page.getByText(queueMessages.stale)).toBeVisible()
  await expect.element(page.getByText(queueMessages.changedElsewhere)).toBeVisible()
  await expect.element(time(1)).toHaveValue('19:45')
  expect(server.saved).toEqual([])
  await button('Save times').click()
  await expect.poll(() => server.saved).toEqual([[{ days: [1, 2, 3, 4, 5], time: '19:45' }]])
  await expect.element(page.getByText(queueMessages.changedElsewhere)).not.toBeInTheDocument()
})

test('keeps edited times when the screen is left, until they are saved or discarded', async () => {
  const saved = [{ days: [1], time: '09:30' }]
  const first = await opened(saved)
  await button('Tuesday').click()
  await button('Add a time').click()
  await time(2).fill('19:45')
  await expect.element(page.getByText(unsavedChangesNote)).toBeVisible()
  await first.leave()

  const server = await opened(saved, first.user)
  await expect.element(time(2)).toHaveValue('19:45')
  await expect.element(page.getByText(unsavedChangesNote)).toBeVisible()
  await button('Save times').click()
  const edited = [
    { days: [1, 2], time: '09:30' },
    { days: [1, 2, 3, 4, 5], time: '19:45' },
  ]
  await expect.poll(() => server.saved).toEqual([edited])
  await expect.element(page.getByText(unsavedChangesNote)).not.toBeInTheDocument()
  await button('Remove time 1').click()
  await server.leave()

  const again = await opened(edited, first.user)
  await expect.element(time(1)).toHaveValue('19:45')
  await button('Discard').click()
  await expect.element(time(1)).toHaveValue('09:30')
  await expect.element(page.getByText(unsavedChangesNote)).not.toBeInTheDocument()
  await again.leave()

  // Another user of this browser gets the saved times.
  await opened(saved)
  await expect.element(time(1)).toHaveValue('09:30')
  await expect.element(button('Save times')).not.toBeInTheDocument()
})

test('keeps times that are edited during a save, without calling it a change from elsewhere', async () => {
  const server = await opened([{ days: [1], time: '09:30' }])
  await button('Tuesday').click()
  const answer = Promise.withResolvers<undefined>()
  server.delay = answer.promise
  await button('Save times').click()
  await button('Saturday').click()
  answer.resolve(undefined)
  await expect.element(page.getByText(queueMessages.saved)).toBeVisible()
  await expect.element(page.getByText(unsavedChangesNote)).toBeVisible()
  await expect.element(page.getByText(queueMessages.changedElsewhere)).not.toBeInTheDocument()
  await button('Discard').click()
  await expect.element(button('Tuesday')).toHaveAttribute('aria-pressed', 'true')
  await expect.element(button('Saturday')).toHaveAttribute('aria-pressed', 'false')
})

test('is paused by key', async () => {
  const server = await opened()
  const pause = page.getByRole('switch', { name: 'Pause the queue' })
  await expect.element(pause).toBeInTheDocument()
  ;(pause.element() as HTMLElement).focus()
  await userEvent.keyboard(' ')
  await expect.element(page.getByText(queueMessages.pausedNow)).toBeVisible()
  expect(server.queue.paused).toBe(true)
})

test('a change whose answer was lost is shown as it was made, and not as one from elsewhere', async () => {
  const server = await opened()
  server.isAnswerLost = true
  await page.getByText('Pause the queue', { exact: true }).click()
  await expect.element(page.getByText(queueMessages.saveFailed)).toBeVisible()
  await expect.element(page.getByRole('switch', { name: 'Pause the queue' })).toBeChecked()
  await button('Add a time').click()
  await button('Save times').click()
  await expect.element(button('Save times')).not.toBeInTheDocument()
  server.isAnswerLost = false
  await button('Add a time').click()
  await button('Save times').click()
  await expect.element(page.getByText(queueMessages.saved)).toBeVisible()
  expect(server.saved.map((slots) => slots.length)).toEqual([1, 2])
})

test('limits a time to chosen pages, and lifts the limit again', async () => {
  const server = await opened()
  await button('Add a time').click()
  await expect.element(tickbox('All pages')).toBeChecked()
  await page.getByText('All pages').click()
  await expect.element(tickbox(/^Quill on Film.*YouTube/)).not.toBeChecked()
  await button('Save times').click()
  await expect.element(page.getByText('Please choose at least one page, or all pages.')).toBeVisible()
  expect(server.saved).toEqual([])
  await page.getByText('Black Quill').click()
  await button('Save times').click()
  const slot = { days: [1, 2, 3, 4, 5], time: '18:00' }
  await expect.poll(() => server.saved).toEqual([[{ ...slot, pages: [pageOf(facebook)] }]])
  await expect.element(tickbox(/^Black Quill.*Facebook/)).toBeChecked()
  await page.getByText('All pages').click()
  await expect.element(tickbox(/^Black Quill/)).not.toBeInTheDocument()
  await button('Save times').click()
  await expect.poll(() => server.saved[1]).toEqual([slot])
})

test('refuses a disconnected page, and shows it in the form to be removed', async () => {
  const slot = { days: [1], time: '09:30' }
  const server = await opened([{ ...slot, pages: [pageOf(youtube), pageOf(facebook)] }])
  await expect.element(tickbox(/^Quill on Film/)).toBeChecked()
  server.accounts = [facebook]
  await button('Tuesday').click()
  await button('Save times').click()
  await expect.element(page.getByRole('alert').getByText(postMessages.pageUnknown)).toBeVisible()
  await expect.element(page.getByText('A page that is no longer connected')).toBeVisible()
  await expect.element(tickbox(/^Quill on Film/)).not.toBeInTheDocument()
  await button('Remove the page').click()
  await button('Save times').click()
  await expect.poll(() => server.saved).toEqual([[{ ...slot, days: [1, 2], pages: [pageOf(facebook)] }]])
  await expect.element(page.getByText(postMessages.pageUnknown)).not.toBeInTheDocument()
})

test('shows an error if the queue cannot be loaded, and the queue after a retry', async () => {
  let isDown = true
  const queue = (): Queue => {
    if (isDown) throw noConnection()
    return { timeZone: 'America/New_York', paused: true, slots: [] }
  }
  await renderWithAnswers(<QueueScreen />, {
    auth: { me: () => ada },
    posts: { queue, nextSlots: () => [] },
    social: { accounts: () => [] },
  })
  await expect.element(page.getByText(queueMessages.loadFailed)).toBeVisible()
  isDown = false
  await button('Try again').click()
  await expect.element(page.getByRole('switch', { name: 'Pause the queue' })).toBeChecked()
})

test.each([360, 600])('at %s px the seven days of a time are in one row', async (width) => {
  await opened([{ days: [1], time: '09:30' }])
  await page.viewport(width, 900)
  await expect.element(button('Monday')).toBeVisible()
  const top = (day: string) => button(day).element().getBoundingClientRect().top
  expect(top('Sunday')).toBe(top('Monday'))
})

test('a double click on the button that removes a time removes one', async () => {
  await opened([8, 9, 10].map((hour) => ({ days: [1], time: `${String(hour).padStart(2, '0')}:00` })))
  await expect.element(time(3)).toBeVisible()
  expect(await hitBySecondPress(page.getByRole('button', { name: /^Remove time/ }))).toBeNull()
})
