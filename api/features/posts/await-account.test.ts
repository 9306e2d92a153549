import { connect as connectTo } from '@flashsheet/db/client'
import { expect, test } from 'vitest'
import { accountsOf, connect } from '../../testing/connect.ts'
import { interceptStatements, lostConnection } from '../../testing/failing-database.ts'
import { fault, uploadPictures, variantsOf } from '../../testing/posting.ts'
import { publishingFixture, targetOf } from '../../testing/publishing.ts'
import { publishTarget } from './service/publish.ts'

const fixture = publishingFixture()

test('an account reconnected while a post begins to wait for it: the post is due again, even if the worker dies then', async () => {
  const { artist, account, message } = await fixture.createPoster()
  const { _id: postId } = await artist.trpc.posts.schedule.mutate({
    mediaIds: await uploadPictures(artist),
    variants: variantsOf(account, { message }),
    scheduledAt: new Date(fixture.app.clock.now().getTime() + 3_600_000).toISOString(),
  })
  const { id } = await targetOf(fixture.app, postId)
  await fault(fixture.app, 'facebook', 'revoke-token', '/photos', { times: 1000 })
  const isMarked = async () => (await accountsOf(artist))[0]?.health === 'reconnect'
  const isReleased = async () => (await targetOf(fixture.app, postId)).leaseToken === null
  let isDead = false
  const client = connectTo(fixture.app.running.databaseUrl, 2)
  interceptStatements(client, async (statement, run) => {
    if (isDead) throw lostConnection()
    if (statement === 'begin' && (await isMarked())) await connect(fixture.app, artist, 'facebook')
    const result = await run()
    isDead = statement === 'begin' && (await isReleased())
    return result
  })
  // The app's own worker does not have the post yet.
  const later = new Date(fixture.app.clock.now().getTime() + 3_601_000)
  try {
    const system = { ...fixture.system, client, db: client.db, now: () => later }
    await publishTarget(system, id, new AbortController().signal).catch(() => {})
  } finally {
    await client.close()
  }
  expect(isDead).toBe(true)
  expect(await targetOf(fixture.app, postId)).toMatchObject({
    phase: 'scheduled',
    leaseToken: null,
    awaitsAccount: false,
    errorMessage: null,
    dueAt: later,
  })
})
