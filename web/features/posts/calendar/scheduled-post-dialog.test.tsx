import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Post } from '@flashsheet/contracts/posts/schema'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { trpc } from '../../../lib/trpc.ts'
import { ada, renderWithAnswers } from '../../../test-fixture.tsx'
import { uploads } from '../../media/uploads.ts'
import { wizardDraft } from '../draft/draft-uploads.ts'
import { scheduledPost, scheduledVariant } from '../parts/post-fixture.ts'
import { ScheduledPostDialog } from './scheduled-post-dialog.tsx'

const ids = { post: '019a0000-0000-7000-8000-000000000030', variant: '019a0000-0000-7000-8000-000000000031' }
const planned = scheduledPost({
  _id: ids.post,
  scheduledAt: '2039-11-21T18:00:00.000Z',
  variants: [scheduledVariant({ _id: ids.variant, postId: ids.post, message: 'Old words' })],
})
const moved: Post = { ...planned, scheduledAt: '2039-11-25T18:00:00.000Z' }

/** The dialog with a server that has this post; `changeElsewhere` is like a change in another window. */
async function opened(delay = Promise.resolve()) {
  let stored = planned
  let refetch = async () => {}
  function Live() {
    const utils = trpc.useUtils()
    refetch = async () => await utils.posts.get.invalidate()
    return null
  }
  const { calls, router, unmount } = await renderWithAnswers(
    <>
      <Live />
      <ScheduledPostDialog entry={{ id: ids.post, status: 'scheduled' }} open onClose={() => {}} />
    </>,
    {
      posts: {
        get: () => stored,
        update: async () => {
          await delay
          return stored
        },
        publishNow: () => stored,
        endangered: () => [],
      },
      auth: { me: () => ada, studioZone: () => ({ timeZone: 'America/New_York' }) },
      social: { accounts: () => [] },
      media: { list: () => [] },
    },
  )
  const changeElsewhere = async (post: Post) => {
    stored = post
    await refetch()
  }
  const sent = () =>
    calls.filter(({ path }) => ['posts.update', 'posts.publishNow'].includes(path)).map(({ input }) => input)
  return { sent, changeElsewhere, router, unmount }
}

const caption = page.getByRole('textbox', { name: 'Caption' })
const update = { postId: ids.post, variants: [{ _id: ids.variant, title: '', message: 'New words' }] }

test('a new caption does not undo a move in another window', async () => {
  const { sent, changeElsewhere } = await opened()
  await caption.fill('New words')
  await changeElsewhere(moved)
  await expect.element(page.getByRole('spinbutton', { name: /^day/ })).toHaveTextContent('25')
  await expect.element(caption).toHaveValue('New words')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.poll(sent).toEqual([update])
})

test('Publish now publishes the caption as edited', async () => {
  const { sent } = await opened()
  await caption.fill('New words')
  await page.getByRole('button', { name: 'Publish now' }).click()
  await expect.poll(sent).toEqual([update, { postId: ids.post }])
})

test.each([
  { button: 'Save changes', message: postMessages.rescheduled, last: update },
  { button: 'Publish now', message: postMessages.publishingNow, last: { postId: ids.post } },
])('$button is finished and reported after the screen was left', async ({ button, message, last }) => {
  const answer = Promise.withResolvers<void>()
  const { sent, unmount } = await opened(answer.promise)
  await caption.fill('New words')
  await page.getByRole('button', { name: button }).click()
  await expect.poll(sent).toEqual([update])
  await unmount()
  answer.resolve()
  await expect.element(page.getByRole('alertdialog').getByText(message)).toBeVisible()
  expect(sent().at(-1)).toEqual(last)
})

test('Duplicate as new copies the caption as edited', async () => {
  const { router } = await opened()
  await caption.fill('New words')
  await page.getByRole('button', { name: 'Duplicate' }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/new-post')
  expect(wizardDraft(ada._id, uploads).get().global.caption).toBe('New words')
})
