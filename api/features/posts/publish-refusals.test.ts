import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Post } from '@flashsheet/contracts/posts/schema'
import { notices } from '@flashsheet/db/schema/notices'
import { postTargets } from '@flashsheet/db/schema/posts'
import { videoFixture } from '@flashsheet/sandbox/fixtures/videos'
import { and, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { createArtist } from '../../testing/actors.ts'
import { accountsOf, connect } from '../../testing/connect.ts'
import {
  fault,
  postNow,
  readPost,
  untilSettled,
  shownAt,
  uploadFile,
  uploadPictures,
  variantsOf,
} from '../../testing/posting.ts'
import { control, eventually, mailTo, type SandboxMail } from '../../testing/sandbox.ts'
import { publishingFixture, targetOf } from '../../testing/publishing.ts'

const fixture = publishingFixture()
const { createPoster, post, untilIdle, advance } = fixture

describe('a network in trouble', () => {
  test('a failed upload is resumed where it stopped', async () => {
    const scene = await createPoster()
    await fault(fixture.app, 'facebook', 'status', '/photos', { method: 'POST', skip: 1, status: 503 })
    const id = await post(scene, 3)
    const { checkpoint } = await untilIdle(id, 'preparing', 1)
    expect(checkpoint['photos']).toHaveLength(1)
    expect((await readPost(scene.artist, id)).variants[0]?.errorMessage).toBe('Facebook is not answering right now.')
    await advance(16)
    const done = await untilSettled(scene.artist, id)
    expect(done).toMatchObject({ status: 'posted', errorMessage: null, variants: [{ errorMessage: null }] })
    expect((await targetOf(fixture.app, id)).checkpoint['photos']).toMatchObject(
      [(checkpoint['photos'] as string[])[0], {}, {}].map((one) =>
        typeof one === 'string' ? one : expect.any(String),
      ),
    )
    expect((await shownAt(fixture.app, 'facebook', scene.pageId, scene.message))[0]?.media).toHaveLength(3)
  })

  test('unreachable for a while: retried with growing delays, then posted once', async () => {
    const scene = await createPoster()
    await fault(fixture.app, 'facebook', 'drop', '.', { times: 1000 })
    const id = await post(scene)
    const waits: number[] = []
    for (let tries = 1; tries <= 4; tries++) {
      const target = await untilIdle(id, 'preparing', tries)
      waits.push(Math.round((target.dueAt.getTime() - target.updatedAt.getTime()) / 1000))
      await advance((waits.at(-1) ?? 0) + 11)
    }
    expect(waits).toEqual([5, 20, 60, 300])
    await untilIdle(id, 'preparing', 5)
    await control(fixture.app, 'DELETE', '/faults')
    await advance(15 * 60 + 11)
    expect((await untilSettled(scene.artist, id)).status).toBe('posted')
    expect(await shownAt(fixture.app, 'facebook', scene.pageId, scene.message)).toHaveLength(1)
  })

  test('a used-up quota makes the post wait with a notice, and moves its deadline', async () => {
    const scene = await createPoster()
    await fault(fixture.app, 'facebook', 'status', '/feed', {
      method: 'POST',
      status: 400,
      body: { error: { message: 'Page request limit reached', code: 32, type: 'OAuthException' } },
      headers: {
        'x-business-use-case-usage': JSON.stringify({
          [scene.pageId]: [{ type: 'pages', estimated_time_to_regain_access: 1500 }],
        }),
      },
    })
    const id = await post(scene)
    const target = await untilIdle(id, 'preparing')
    expect(Math.round(target.waitedMs / 60_000)).toBe(1500)
    expect((await readPost(scene.artist, id)).variants[0]?.errorMessage).toBe(
      'Facebook takes no more from this account for now.',
    )
    // One notice, however often the network refuses.
    const received = await fixture.app.client.db.select().from(notices).where(eq(notices.userId, scene.artist.id))
    expect(received).toMatchObject([
      {
        kind: 'post_waiting',
        text: 'Facebook takes no more from this account for now. It goes out by itself as soon as it can.',
      },
    ])
    await advance(1500 * 60 + 11)
    expect((await untilSettled(scene.artist, id)).status).toBe('posted')
    expect(await shownAt(fixture.app, 'facebook', scene.pageId, scene.message)).toHaveLength(1)
  })

  test('a target fails as missed a day after its time, with notice and mail', async () => {
    const scene = await createPoster()
    await fault(fixture.app, 'facebook', 'status', '/photos', { times: 1000, status: 500 })
    const id = await post(scene)
    await untilIdle(id, 'preparing', 1)
    // The network works again, but a post a day late is not published.
    await control(fixture.app, 'DELETE', '/faults')
    await advance(24 * 3600 + 11)
    const done = await untilSettled(scene.artist, id)
    expect(await shownAt(fixture.app, 'facebook', scene.pageId, scene.message)).toEqual([])
    const reason = `${postMessages.missed} Facebook is not answering right now.`
    expect(done).toMatchObject({
      status: 'failed',
      errorMessage: `${scene.account.pages[0]?.name} (Facebook): ${reason}`,
      variants: [{ status: 'failed', errorMessage: reason }],
    })
    const [notice, ...more] = await fixture.app.client.db
      .select()
      .from(notices)
      .where(eq(notices.userId, scene.artist.id))
    expect(notice).toMatchObject({
      kind: 'post_failed',
      title: `Your post did not get to ${scene.account.pages[0]?.name} (Facebook)`,
      link: `/scheduled-posts?post=${id}`,
      text: done.errorMessage,
    })
    expect(more).toEqual([])
    const mail = await mailTo(fixture.app, scene.artist.email)
    expect(mail.text).toContain(`“${scene.message}” could not be published:`)
    expect(mail.text).toContain(reason)
    expect(mail.links).toContain(`${fixture.app.url}/scheduled-posts?post=${id}`)
  })
})

describe('a refusal', () => {
  test('for good fails only that page, named with the reason', async () => {
    const scene = await createPoster()
    const [first, second] = scene.account.pages
    await fault(fixture.app, 'facebook', 'status', `/${first?.pageId}/photos`, {
      status: 400,
      body: {
        error: {
          message: 'Invalid parameter',
          code: 100,
          error_subcode: 1366046,
          error_user_msg: "Your photos couldn't be uploaded.",
        },
      },
    })
    const mediaIds = await uploadPictures(scene.artist)
    const id = await postNow(scene.artist, {
      mediaIds,
      variants: variantsOf(scene.account, { message: scene.message }, scene.account.pages),
    })
    const done = await untilSettled(scene.artist, id)
    const byPage = (one: Post) => Object.fromEntries(one.variants.map((variant) => [variant.pageId, variant.status]))
    expect(byPage(done)).toEqual({ [first?.pageId ?? '']: 'failed', [second?.pageId ?? '']: 'posted' })
    expect(done.errorMessage).toBe(`${first?.name} (Facebook): Facebook: Your photos couldn't be uploaded.`)
    const received = await fixture.app.client.db.select().from(notices).where(eq(notices.userId, scene.artist.id))
    expect(received.map((notice) => notice.title)).toEqual(['A post could not be published everywhere'])
    expect((await mailTo(fixture.app, scene.artist.email)).text).toContain(
      `“${scene.message}” did not reach every page:`,
    )
    expect(await shownAt(fixture.app, 'facebook', second?.pageId ?? '', scene.message)).toHaveLength(1)
    expect(await shownAt(fixture.app, 'facebook', first?.pageId ?? '', scene.message)).toEqual([])
  })

  test('of one page is notified at once, and once, when the others have to wait long', async () => {
    const scene = await createPoster()
    const [first, second] = scene.account.pages
    await fault(fixture.app, 'facebook', 'status', `/${first?.pageId}/photos`, {
      status: 400,
      body: { error: { message: 'Invalid parameter', code: 100, error_user_msg: 'Not this one.' } },
    })
    await fault(fixture.app, 'facebook', 'status', `/${second?.pageId}/photos`, { times: 1000, status: 500 })
    const mediaIds = await uploadPictures(scene.artist)
    const variants = variantsOf(scene.account, { message: scene.message }, scene.account.pages)
    const scheduledAt = new Date(fixture.app.clock.now().getTime() + 3_600_000).toISOString()
    const { _id: id } = await scene.artist.trpc.posts.schedule.mutate({ mediaIds, variants, scheduledAt })
    // The second page is due an hour after the first.
    await fixture.app.client.db
      .update(postTargets)
      .set({ dueAt: fixture.app.clock.now() })
      .where(and(eq(postTargets.postId, id), eq(postTargets.pageId, first?.pageId ?? '')))
    await advance(11)
    const notice = await eventually(
      'the notice',
      async () => (await fixture.app.client.db.select().from(notices).where(eq(notices.userId, scene.artist.id)))[0],
    )
    expect(notice).toMatchObject({ kind: 'post_failed', text: `${first?.name} (Facebook): Facebook: Not this one.` })
    expect((await mailTo(fixture.app, scene.artist.email)).text).toContain('Not this one.')
    expect((await readPost(scene.artist, id)).status).toBe('scheduled')
    // The other page does not fail, so there is nothing more to report.
    await control(fixture.app, 'DELETE', '/faults')
    await scene.artist.trpc.posts.publishNow.mutate({ postId: id })
    expect((await untilSettled(scene.artist, id)).status).toBe('failed')
    expect(await fixture.app.client.db.$count(notices, eq(notices.userId, scene.artist.id))).toBe(1)
  })

  test('of the token fails with a link to reconnect, and marks the account', async () => {
    const scene = await createPoster()
    await fault(fixture.app, 'facebook', 'revoke-token', '/photos', { times: 1000 })
    const done = await untilSettled(scene.artist, await post(scene))
    expect(done).toMatchObject({
      status: 'failed',
      variants: [{ errorMessage: 'Facebook no longer lets us in. Please connect the account again.' }],
    })
    expect((await accountsOf(scene.artist))[0]?.health).toBe('reconnect')
    // Notices for both: the failed post, and the account that has to be reconnected.
    const texts = await eventually('two mails', async () => {
      const sent = await control<SandboxMail[]>(
        fixture.app,
        'GET',
        `/mail?to=${encodeURIComponent(scene.artist.email)}`,
      )
      return sent.length > 1 && sent.map((mail) => mail.text)
    })
    expect(texts).toEqual(
      expect.arrayContaining([
        expect.stringContaining('Please connect the account again.'),
        expect.stringContaining('/social-accounts'),
      ]),
    )
    expect(texts).toHaveLength(2)
  })

  test('of the token while the outcome is open never leads to a second post', async () => {
    const scene = await createPoster()
    await fault(fixture.app, 'facebook', 'drop-after-commit', '/feed', { method: 'POST' })
    await fault(fixture.app, 'facebook', 'revoke-token', '/published_posts', { times: 1000 })
    const done = await untilSettled(scene.artist, await post(scene))
    expect(done.status).toBe('failed')
    expect(done.variants[0]?.errorMessage).toContain(postMessages.unclear('Facebook'))
    expect(await shownAt(fixture.app, 'facebook', scene.pageId, scene.message)).toHaveLength(1)
    const titles = (await fixture.app.client.db.select().from(notices).where(eq(notices.userId, scene.artist.id))).map(
      (notice) => notice.title,
    )
    expect(titles).toContain(`Please check whether your post is on ${scene.account.pages[0]?.name} (Facebook)`)
  })

  test('of the token while the outcome is open: the artist is led to their own page', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'tiktok')
    await fault(fixture.app, 'tiktok', 'revoke-token', '/status/fetch', { times: 1000 })
    const bytes = videoFixture('portrait-5s.mp4')
    const id = await postNow(artist, {
      mediaIds: [await uploadFile(artist, { name: 'a.mp4', type: 'video/mp4', bytes })],
      variants: variantsOf(account, { options: { tiktok: { privacyLevel: 'PUBLIC_TO_EVERYONE' } } }),
    })
    expect((await untilSettled(artist, id)).variants[0]).toMatchObject({
      mayBeThere: 'unclear',
      pageUrl: 'https://www.tiktok.com/@tidewater.ink',
    })
  })
})
