import { postTargets } from '@flashsheet/db/schema/posts'
import { videoFixture } from '@flashsheet/sandbox/fixtures/videos'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newId } from '../../core/ids.ts'
import { everyoneScope } from '../../core/scope.ts'
import { createArtist } from '../../testing/actors.ts'
import { connect } from '../../testing/connect.ts'
import { postNow, readPost, untilSettled, uploadFile, variantsOf } from '../../testing/posting.ts'
import { publishingFixture } from '../../testing/publishing.ts'
import { releaseTurn, acquireTurn } from './queries/login-turns.ts'
import { publishTarget } from './service/publish.ts'

const fixture = publishingFixture()

test('retries within seconds while another target has the turn of its login, however often', async () => {
  const { db } = fixture.app.client
  const artist = await createArtist(fixture.app)
  const account = await connect(fixture.app, artist, 'tiktok')
  const [turn, token] = [`tiktok init ${account.providerUserId}`, newId()]
  expect(await acquireTurn(db, everyoneScope(), turn, token, 6)).toBeUndefined()
  // A worker of the product tries as well, which changes nothing of what is expected.
  const bytes = videoFixture('portrait-5s.mp4')
  const postId = await postNow(artist, {
    mediaIds: [await uploadFile(artist, { name: 'sleeve.mp4', type: 'video/mp4', bytes })],
    variants: variantsOf(account, { options: { tiktok: { privacyLevel: 'PUBLIC_TO_EVERYONE' } } }),
  })
  const isTarget = eq(postTargets.postId, postId)
  const retryDelayMs = async () => {
    const [due] = await db
      .update(postTargets)
      .set({ dueAt: sql`now() - interval '1 second'` })
      .where(isTarget)
      .returning({ id: postTargets.id })
    await publishTarget(fixture.system, due?.id ?? '', new AbortController().signal)
    const [row] = await db.select().from(postTargets).where(isTarget)
    return (row?.dueAt.getTime() ?? 0) - Date.now()
  }
  for (let n = 0; n < 8; n += 1) {
    expect(await retryDelayMs()).toBeLessThanOrEqual(2000)
  }
  expect((await readPost(artist, postId)).status).toBe('scheduled')
  await releaseTurn(db, everyoneScope(), turn, token)
  expect((await untilSettled(artist, postId)).status).toBe('posted')
})
