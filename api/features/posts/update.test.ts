import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { NewWebhookEndpoint } from '@flashsheet/contracts/webhooks/schema'
import { postTargets } from '@flashsheet/db/schema/posts'
import { webhookDeliveries, webhookEvents } from '@flashsheet/db/schema/webhooks'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newId } from '../../core/ids.ts'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { insertTargets, publishingFixture } from '../../testing/publishing.ts'

/** Without a worker, so that nothing is published. */
const fixture = publishingFixture({ role: 'web' })
const later = () => new Date(fixture.app.clock.now().getTime() + 3_600_000)

/** A planned post with two targets; one of them has these columns. */
async function planPost(artist: Artist, columns: Partial<typeof postTargets.$inferInsert> = {}) {
  const { client } = fixture.app
  const [first] = await insertTargets(client, artist.id, later())
  const [second] = await insertTargets(client, artist.id, later(), columns)
  const { postId = '' } = first ?? {}
  await client.db
    .update(postTargets)
    .set({ postId })
    .where(eq(postTargets.id, second?.targetId ?? ''))
  return { postId, ids: [first?.targetId ?? '', second?.targetId ?? ''] }
}

const textsOf = async (postId: string) => {
  const rows = await fixture.app.client.db.select().from(postTargets).where(eq(postTargets.postId, postId))
  return rows.map(({ message }) => message)
}

test.each([
  ['a worker has claimed', { leaseToken: newId() }],
  ['is being published', { phase: 'publishing' as const }],
  ['was published', { phase: 'posted' as const, postedAt: new Date('2026-11-21') }],
])('a post is not changed once one of its targets %s', async (_what, columns) => {
  const artist = await createArtist(fixture.app)
  const { postId, ids } = await planPost(artist, columns)
  for (const change of [{ scheduledAt: later().toISOString() }, { variants: [{ _id: ids[0], message: 'new' }] }])
    expect(await artist.put(`/api/posts/${postId}`, change)).toMatchObject({
      status: 409,
      body: { message: postMessages.notEditable },
    })
  expect(await textsOf(postId)).toEqual(['Fresh flash', 'Fresh flash'])
})

test('a target of another post is refused, and nothing is changed', async () => {
  const artist = await createArtist(fixture.app)
  const [{ postId, ids }, other] = [await planPost(artist), await planPost(artist)]
  const variants = [ids[0], other.ids[0]].map((_id) => ({ _id, message: 'new' }))
  expect(await artist.put(`/api/posts/${postId}`, { variants })).toMatchObject({
    status: 400,
    body: { fields: { variants: postMessages.pageUnknown } },
  })
  for (const id of [postId, other.postId]) expect(await textsOf(id)).toEqual(['Fresh flash', 'Fresh flash'])
})

test('a change of text keeps the time, and is sent to webhooks as a planned post', async () => {
  const artist = await createArtist(fixture.app)
  const { postId, ids } = await planPost(artist)
  const { db } = fixture.app.client
  const url = `https://a.example/${postId}`
  const hook = await artist.post<NewWebhookEndpoint>('/api/webhook-endpoints', { url, events: ['post.scheduled'] })
  const before = await artist.get<{ scheduledAt: string }>(`/api/posts/${postId}`)
  const changed = await artist.put(`/api/posts/${postId}`, { variants: [{ _id: ids[1], message: 'new' }] })
  expect(changed).toMatchObject({ status: 200, body: { scheduledAt: before.body.scheduledAt } })
  expect((await textsOf(postId)).toSorted()).toEqual(['Fresh flash', 'new'])
  const sent = await db
    .select({ type: webhookEvents.type })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .where(eq(webhookDeliveries.endpointId, hook.body._id))
  expect(sent).toEqual([{ type: 'post.scheduled' }])
})
