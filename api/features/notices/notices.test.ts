import { noticeMessages } from '@flashsheet/contracts/notices/messages'
import type { NoticeList } from '@flashsheet/contracts/notices/schema'
import { mails } from '@flashsheet/db/schema/outbox'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { System } from '../../core/context.ts'
import { ownerScope } from '../../core/scope.ts'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { openSystem } from '../../testing/system.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { openEvents } from '../../testing/events.ts'
import { mailTo } from '../../testing/sandbox.ts'
import { notifyArtist, type ArtistNotice } from './service.ts'

let app: TestApp
let system: System
let close: () => Promise<void>
beforeAll(async () => {
  app = await startTestApp()
  ;({ system, close } = await openSystem(app))
})
afterAll(async () => {
  await close?.()
  await app?.stop()
})

const failure: ArtistNotice = {
  kind: 'post_failed',
  dedupeKey: 'post 1',
  title: 'A post could not be published everywhere',
  text: 'Ink & Iron (Facebook): Facebook refused the picture.\nInk (LinkedIn): LinkedIn did not answer.',
  link: '/scheduled-posts?post=019a0000-0000-7000-8000-000000000001',
  action: 'See the post',
}
const notify = async (artist: Artist, notice: Partial<ArtistNotice> = {}) =>
  await system.db.transaction(
    async (tx) => await notifyArtist(system, tx, ownerScope(artist.id), { ...failure, ...notice }),
  )
const mailsTo = async (artist: Artist) => await app.client.db.select().from(mails).where(eq(mails.to, artist.email))

describe('refusals', () => {
  test("another artist's notices are neither visible nor markable", async () => {
    const [artist, other] = [await createArtist(app), await createArtist(app)]
    await notify(artist)
    const { notices } = await artist.trpc.notices.list.query()
    expect(await other.trpc.notices.list.query()).toEqual({ unread: 0, notices: [] })
    await other.trpc.notices.read.mutate({ ids: notices.map((notice) => notice._id) })
    await other.trpc.notices.readAll.mutate({ until: app.clock.now().toISOString() })
    expect((await artist.trpc.notices.list.query()).unread).toBe(1)
  })

  test('mails about payments cannot be switched off', async () => {
    const artist = await createArtist(app)
    await expect(artist.trpc.notices.chooseMail.mutate({ kind: 'billing', mail: false })).rejects.toThrow(
      noticeMessages.unswitchable,
    )
    expect((await artist.trpc.notices.mails.query()).billing).toBe(true)
  })

  test('a kind that is switched off leaves the mails of the others', async () => {
    const artist = await createArtist(app)
    await artist.trpc.notices.chooseMail.mutate({ kind: 'appointment', mail: false })
    await notify(artist, { kind: 'appointment' })
    await notify(artist, { dedupeKey: 'post 2' })
    expect(await mailsTo(artist)).toMatchObject([{ subject: failure.title }])
  })

  test('a notice in a transaction that rolls back does not exist', async () => {
    const artist = await createArtist(app)
    const failing = system.db.transaction(async (tx) => {
      await notifyArtist(system, tx, ownerScope(artist.id), failure)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect((await artist.trpc.notices.list.query()).notices).toEqual([])
    expect(await mailsTo(artist)).toEqual([])
  })
})

describe('notifying', () => {
  test('stores a notice and mails it, with every reason and a link', async () => {
    const artist = await createArtist(app)
    expect(await notify(artist)).toBe(true)
    const { unread, notices } = await artist.trpc.notices.list.query()
    expect(unread).toBe(1)
    expect(notices).toEqual([
      expect.objectContaining({
        kind: 'post_failed',
        title: failure.title,
        text: failure.text,
        link: failure.link,
        action: 'See the post',
        readAt: null,
      }),
    ])
    const mail = await mailTo(app, artist.email)
    expect(mail.subject).toBe(failure.title)
    for (const line of failure.text.split('\n')) expect(mail.text).toContain(line)
    expect(mail.links).toContain(`${app.url}${failure.link}`)
    expect(mail.text).toContain(`${app.url}/settings`)
  })

  test('happens once per event, however many callers are concurrent', async () => {
    const artist = await createArtist(app)
    const results = await Promise.all([1, 2, 3, 4, 5].map(async () => await notify(artist)))
    expect(results.filter(Boolean)).toHaveLength(1)
    expect((await artist.trpc.notices.list.query()).unread).toBe(1)
    expect(await mailsTo(artist)).toHaveLength(1)
  })

  test.each([
    ['post_failed', true],
    ['account_reconnect', true],
    ['appointment', true],
    ['post_posted', false],
  ] as const)('of %s is mailed unless switched off: %s', async (kind, isMailedByDefault) => {
    const artist = await createArtist(app)
    expect((await artist.trpc.notices.mails.query())[kind]).toBe(isMailedByDefault)
    await notify(artist, { kind })
    expect(await mailsTo(artist)).toHaveLength(isMailedByDefault ? 1 : 0)
    expect((await artist.trpc.notices.chooseMail.mutate({ kind, mail: !isMailedByDefault }))[kind]).toBe(
      !isMailedByDefault,
    )
    await notify(artist, { kind, dedupeKey: 'again' })
    expect(await mailsTo(artist)).toHaveLength(1)
    // The app shows every kind, whether mailed or not.
    expect((await artist.trpc.notices.list.query()).unread).toBe(2)
  })

  test('of payments leaves the mail to its slice', async () => {
    const artist = await createArtist(app)
    await notify(artist, { kind: 'billing', link: '/subscription' })
    expect((await artist.trpc.notices.list.query()).unread).toBe(1)
    expect(await mailsTo(artist)).toEqual([])
  })
})

describe('the bell', () => {
  test('marks one notice as read, then all that were visible; newer ones stay unread', async () => {
    const artist = await createArtist(app)
    for (const dedupeKey of ['a', 'b', 'c']) {
      await notify(artist, { dedupeKey, title: dedupeKey })
      app.clock.advance(1000)
    }
    const { notices } = await artist.trpc.notices.list.query()
    expect(notices.map((notice) => notice.title)).toEqual(['c', 'b', 'a'])
    expect((await artist.trpc.notices.read.mutate({ ids: [notices[0]?._id ?? ''] })).unread).toBe(2)
    await notify(artist, { dedupeKey: 'd', title: 'd' })
    const after = await artist.trpc.notices.readAll.mutate({ until: notices[0]?.createdAt ?? '' })
    expect(after.unread).toBe(1)
    expect(after.notices.filter((notice) => notice.readAt === null).map((notice) => notice.title)).toEqual(['d'])
  })

  test('updates live with new notices and with those read elsewhere', async () => {
    const artist = await createArtist(app)
    const stream = await openEvents<NoticeList>(artist, 'notices.watch')
    try {
      expect(await stream.next()).toEqual({ unread: 0, notices: [] })
      await notify(artist)
      const update = await stream.next()
      expect(update).toMatchObject({ unread: 1, notices: [{ title: failure.title }] })
      await artist.trpc.notices.read.mutate({ ids: update.notices.map((notice) => notice._id) })
      expect(await stream.next()).toMatchObject({ unread: 0, notices: [{ readAt: expect.any(String) }] })
    } finally {
      stream.close()
    }
    await stream.ended
  })
})
