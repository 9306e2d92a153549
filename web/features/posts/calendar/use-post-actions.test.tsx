import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Post } from '@flashsheet/contracts/posts/schema'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ada, koi, noConnection, renderWithAnswers } from '../../../test-fixture.tsx'
import { scheduledPost, scheduledVariant } from '../parts/post-fixture.ts'
import { ScheduledPostDialog } from './scheduled-post-dialog.tsx'

const planned = scheduledPost({ scheduledAt: '2039-11-21T18:00:00.000Z', variants: [scheduledVariant({})] })
const withStatus = (status: Post['status'], phase: 'failed' | 'claimed'): Post => ({
  ...planned,
  status,
  variants: planned.variants.map((one) => ({ ...one, status, phase, errorMessage: null })),
})
const failed = withStatus('failed', 'failed')

/** The dialog of a post. Its actions change the post to `result`, but their answers are lost. */
async function opened(post: Post, result: Post) {
  let stored = post
  const act = (): never => {
    stored = result
    throw noConnection()
  }
  await renderWithAnswers(
    <ScheduledPostDialog entry={{ id: post._id, status: post.status }} open onClose={() => {}} />,
    {
      posts: { get: () => stored, retry: act, publishNow: act, endangered: () => [] },
      auth: { me: () => ada, studioZone: () => ({ timeZone: 'America/New_York' }) },
      social: { accounts: () => [] },
      media: { list: () => [koi] },
    },
  )
}
const didNotWork = page.getByText('That did not work')
const tryAgain = page.getByRole('button', { name: /^Try again/ })
const publishNow = page.getByRole('button', { name: 'Publish now' })

test('an action that failed without an answer, and was not carried out, is reported', async () => {
  await opened(failed, failed)
  await tryAgain.click()
  await expect.element(didNotWork).toBeVisible()
})

test.each([
  [postMessages.retrying, failed, withStatus('scheduled', 'claimed'), tryAgain],
  [postMessages.publishingNow, planned, { ...planned, scheduledAt: '2026-11-21T18:00:00.000Z' }, publishNow],
])('an action whose answer was lost counts as carried out: %s', async (done, before, after, action) => {
  await opened(before, after)
  await action.click()
  await expect.element(page.getByText(done)).toBeVisible()
  expect(didNotWork.elements()).toEqual([])
})
