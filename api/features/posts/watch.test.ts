import type { PostsChange } from '@flashsheet/contracts/posts/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { connect } from '../../testing/connect.ts'
import { openEvents } from '../../testing/events.ts'
import { fault, postNow, uploadPictures, variantsOf } from '../../testing/posting.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.stop())

const watch = async (artist: Artist, input: { postIds?: string[] }) =>
  await openEvents<PostsChange>(artist, 'posts.watch', input)

describe('watching posts', () => {
  test('requires a subscription', async () => {
    const artist = await createArtist(app, { plan: null })
    const answer = await artist.fetch(`/trpc/posts.watch?input=${encodeURIComponent('{}')}`, {
      headers: { accept: 'text/event-stream' },
    })
    const text = await answer.text()
    expect(text).toContain('event: serialized-error')
    expect(text).toContain('"code":"no_subscription"')
  })

  test('tells the browser after which silence the connection is lost, longer than between two pings', async () => {
    const artist = await createArtist(app)
    const abort = new AbortController()
    const stream = await artist.fetch(`/trpc/posts.watch?input=${encodeURIComponent('{}')}`, {
      headers: { accept: 'text/event-stream' },
      signal: abort.signal,
    })
    let text = ''
    for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (text.includes('\n\n')) break
    }
    abort.abort()
    expect(text).toMatch(/^event: connected\ndata: {"reconnectAfterInactivityMs":45000}\n/)
  })

  test('emits the current posts, then each change until the end, and none of other artists', async () => {
    const artist = await createArtist(app)
    const account = await connect(app, artist, 'facebook')
    const mediaIds = await uploadPictures(artist, 3)
    const all = await watch(artist, {})
    expect(await all.next()).toEqual({ posts: [], gone: [], reread: true })
    const someone = await createArtist(app)
    const stranger = await watch(someone, {})
    expect(await stranger.next()).toMatchObject({ reread: true })

    const id = await postNow(artist, { mediaIds, variants: variantsOf(account, {}, account.pages) })
    const one = await watch(artist, { postIds: [id] })
    const first = await one.next()
    expect(first).toMatchObject({
      posts: [{ _id: id, variants: [{ platform: 'facebook' }, { platform: 'facebook' }] }],
      gone: [],
      reread: true,
    })
    for (const stream of [one, all]) {
      let last: PostsChange
      do last = await stream.next()
      while (last.posts.some((post) => post.status === 'scheduled'))
      expect(last.posts).toMatchObject([
        { _id: id, status: 'posted', variants: [{ status: 'posted' }, { status: 'posted' }] },
      ])
    }
    // The other artist's first event is their own later post.
    const own = await postNow(someone, {
      mediaIds: await uploadPictures(someone),
      variants: variantsOf(await connect(app, someone, 'facebook')),
    })
    expect((await stranger.next()).posts.map((post) => post._id)).toEqual([own])
    for (const stream of [one, all, stranger]) stream.close()
  })

  test('asks to read all posts again when the access of an account ends, and when it is reconnected', async () => {
    const artist = await createArtist(app)
    const account = await connect(app, artist, 'tiktok')
    const all = await watch(artist, {})
    await all.next()
    await fault(app, 'tiktok', 'revoke-token', 'oauth/token')
    expect((await artist.put(`/api/social-accounts/${account._id}/token`)).status).toBe(409)
    expect(await all.next()).toEqual({ posts: [], gone: [], reread: true })
    await connect(app, artist, 'tiktok')
    expect(await all.next()).toEqual({ posts: [], gone: [], reread: true })
    all.close()
  })

  test('reports a deleted post', async () => {
    const artist = await createArtist(app)
    const account = await connect(app, artist, 'facebook')
    const scheduledAt = new Date(app.clock.now().getTime() + 3_600_000).toISOString()
    const made = await artist.trpc.posts.schedule.mutate({
      mediaIds: await uploadPictures(artist),
      variants: variantsOf(account),
      scheduledAt,
    })
    const stream = await watch(artist, { postIds: [made._id] })
    expect((await stream.next()).posts).toHaveLength(1)
    await artist.delete(`/api/social-accounts/${account._id}`)
    // The hint about the new post may arrive after it was read.
    let last: PostsChange
    do last = await stream.next()
    while (last.posts.length > 0)
    expect(last).toMatchObject({ posts: [], gone: [made._id] })
    stream.close()
  })
})
