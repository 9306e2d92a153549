import { postTargets } from '@flashsheet/db/schema/posts'
import { videoFixture } from '@flashsheet/sandbox/fixtures/videos'
import { and, eq, isNull } from 'drizzle-orm'
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArtist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { connect } from '../../testing/connect.ts'
import { postNow, readPost, uploadFile, variantsOf } from '../../testing/posting.ts'
import { control, eventually } from '../../testing/sandbox.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.stop())

async function send(
  body: Record<string, unknown>,
  secret = app.running.config.networks.tiktok?.clientSecret ?? '',
): Promise<number> {
  const raw = JSON.stringify(body)
  const at = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', secret).update(`${at}.${raw}`).digest('hex')
  return (
    await app.visitor().fetch('/api/webhooks/tiktok', {
      method: 'POST',
      body: raw,
      headers: { 'tiktok-signature': `t=${at},s=${signature}` },
    })
  ).status
}
const event = (name: string, publishId: string) => ({
  client_key: 'k',
  event: name,
  create_time: 1_795_000_000,
  user_openid: 'o',
  content: JSON.stringify({ publish_id: publishId }),
})

test("refuses an event without TikTok's signature; accepts one for an unknown post without effect", async () => {
  expect(await send(event('post.publish.complete', 'x'), 'guessed')).toBe(400)
  expect((await app.visitor().fetch('/api/webhooks/tiktok', { method: 'POST', body: '' })).status).toBe(400)
  for (const name of [
    'post.publish.complete',
    'post.publish.publicly_available',
    'authorization.removed',
    'something.new',
  ])
    expect(await send(event(name, 'nobody’s'))).toBe(200)
})

test("confirms a waiting post as soon as TikTok's event arrives, and fetches its address likewise", async () => {
  const artist = await createArtist(app)
  const account = await connect(app, artist, 'tiktok')
  const video = await uploadFile(artist, { name: 'a.mp4', type: 'video/mp4', bytes: videoFixture('portrait-5s.mp4') })
  // Longer than a busy machine takes from the upload to the first rest of the target below.
  await control(app, 'POST', '/limits', { processingMs: 5000 })
  const id = await postNow(artist, {
    mediaIds: [video],
    variants: variantsOf(account, { options: { tiktok: { privacyLevel: 'PUBLIC_TO_EVERYONE' } } }),
  })
  const { db } = app.client
  const target = async () => (await db.select().from(postTargets).where(eq(postTargets.postId, id)))[0]
  const inAnHour = new Date(Date.now() + 3_600_000)
  await eventually('an idle target that waits for its outcome', async () => {
    const rests = and(eq(postTargets.postId, id), eq(postTargets.phase, 'confirming'), isNull(postTargets.leaseUntil))
    return (await db.update(postTargets).set({ dueAt: inAnHour }).where(rests).returning()).length === 1
  })
  await expect.poll(async () => (await readPost(artist, id)).status, { timeout: 15_000 }).toBe('posted')
  // TikTok returns the address only after moderation, which takes as long again.
  await db.update(postTargets).set({ reconcileAt: inAnHour }).where(eq(postTargets.postId, id))
  expect((await target())?.permalink).toBeNull()
  await expect
    .poll(async () => (await target())?.permalink ?? '', { timeout: 15_000 })
    .toMatch(/^https:\/\/www\.tiktok\.com\/@tidewater\.ink\/video\/\d+$/)
})
