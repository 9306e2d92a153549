import { postMessages } from '@flashsheet/contracts/posts/messages'
import { expect, test } from 'vitest'
import { shownAt, uploadPictures, variantsOf } from '../../testing/posting.ts'
import { publishingFixture, targetOf } from '../../testing/publishing.ts'
import { eventually } from '../../testing/sandbox.ts'

const fixture = publishingFixture()

test('a post that comes due after the deletion was requested and before Stripe has ended the payments fails', async () => {
  const { artist, account, pageId, message } = await fixture.createPoster()
  const { _id: id } = await artist.trpc.posts.schedule.mutate({
    mediaIds: await uploadPictures(artist),
    variants: variantsOf(account, { message }),
    scheduledAt: new Date(fixture.app.clock.now().getTime() + 3_600_000).toISOString(),
  })
  // Stripe does not know this artist's subscription, so it stays active.
  await artist.trpc.auth.deleteAccount.mutate({ name: artist.name })
  await fixture.advance(3611)
  const target = await eventually('the target to be final', async () => {
    const row = await targetOf(fixture.app, id)
    return (row.phase === 'posted' || row.phase === 'failed') && row
  })
  expect(target).toMatchObject({ phase: 'failed', errorMessage: postMessages.subscriptionEnded })
  expect(await shownAt(fixture.app, 'facebook', pageId, message)).toEqual([])
})
