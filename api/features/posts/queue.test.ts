import type { Draft } from '@flashsheet/contracts/drafts/schema'
import { queueLimits } from '@flashsheet/contracts/queue/limits'
import { queueMessages } from '@flashsheet/contracts/queue/messages'
import type { FreeSlot, Queue } from '@flashsheet/contracts/queue/schema'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Post, PostResult } from '@flashsheet/contracts/posts/schema'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { sqlState } from '@flashsheet/db/client'
import { postTargets } from '@flashsheet/db/schema/posts'
import { queuePlaces } from '@flashsheet/db/schema/queue'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createArtist, type Artist, type Visitor } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { connect } from '../../testing/connect.ts'
import { createProgram } from '../../testing/keys.ts'
import { lockWaits } from '../../testing/lock-waits.ts'
import { control, eventually } from '../../testing/sandbox.ts'
import { fault, untilSettled, uploadPictures, variantsOf } from '../../testing/posting.ts'
import { openSystem } from '../../testing/system.ts'
import { sweepTargets } from './service/sweep.ts'

let app: TestApp
let other: Awaited<ReturnType<typeof openSystem>>
let artist: Artist
let program: Visitor
let account: SocialAccount
let mediaIds: string[]
beforeAll(async () => {
  // Hours away from the slots at 09:00 and 18:00, so that none passes between two calls of a test.
  const tomorrow = new Date(Date.now() + 24 * hour).toISOString().slice(0, 10)
  app = await startTestApp({ startAt: `${tomorrow}T12:00:00.000Z` })
  other = await openSystem(app)
})
afterAll(async () => {
  await other.close()
  await app.stop()
})
beforeEach(async () => {
  artist = await createArtist(app)
  account = await connect(app, artist, 'facebook')
  mediaIds = await uploadPictures(artist)
  program = await createProgram(app, artist, ['posts:write'])
})

const everyDay = [1, 2, 3, 4, 5, 6, 7]
const hour = 3_600_000
const save = async (queue: object) => await program.put<Queue & { message: string }>('/api/queue', queue)
const next = async (count = 5) => (await program.get<FreeSlot[]>(`/api/queue/next?count=${count}`)).body
/** The next free slots of the page that these tests post to. */
const times = async (count = 5) =>
  (await next(50))
    .filter(({ pages }) => pages.some(({ pageId }) => pageId === pageOf(account).pageId))
    .map(({ at }) => at)
    .slice(0, count)
const enqueue = async (words: object = {}, pages = account.pages.slice(0, 1)) =>
  await program.post<PostResult & { message: string; code: string }>('/api/posts/schedule', {
    mediaIds,
    variants: variantsOf(account, words, pages),
    scheduledAt: 'next-slot',
  })
const read = async (id: string) => (await program.get<Post>(`/api/posts/${id}`)).body
const pageOf = (of: SocialAccount) => ({ socialAccountId: of._id, pageId: of.pages[0]?.pageId ?? '' })
const twiceADay = {
  timeZone: 'UTC',
  slots: [
    { days: everyDay, time: '09:00' },
    { days: everyDay, time: '18:00' },
  ],
}
/** Moves the product's clock past `at`. Jobs wait by the real clock, but the sweep enqueues targets that are ten seconds overdue. */
const moveClockPast = async (at: string) => {
  app.clock.advance(new Date(at).getTime() - app.clock.now().getTime() + 11_000)
  await sweepTargets(other.system)
}

describe('the queue', () => {
  test("has no slots at first, and uses the artist's time zone", async () => {
    const profile = (await artist.get<{ timeZone: string }>('/api/me')).body
    expect((await program.get('/api/queue')).body).toEqual({ timeZone: profile.timeZone, paused: false, slots: [] })
    expect(await next()).toEqual([])
    expect(await enqueue()).toMatchObject({ status: 409, body: { message: queueMessages.noSlots } })
    expect((await program.get<Post[]>('/api/posts')).body).toEqual([])
  })

  test.each([
    ['a day that is none', { slots: [{ days: [0], time: '09:00' }] }, queueMessages.dayWrong],
    ['no day', { slots: [{ days: [], time: '09:00' }] }, queueMessages.daysRequired],
    ['a time that is none', { slots: [{ days: [1], time: '24:00' }] }, queueMessages.timeWrong],
    ['an empty list of pages', { slots: [{ days: [1], time: '09:00', pages: [] }] }, queueMessages.noPages],
    [
      'too many times',
      { slots: Array(queueLimits.slotsMax + 1).fill({ days: [1], time: '09:00' }) },
      queueMessages.tooManySlots,
    ],
  ])('refuses %s', async (_what, queue, message) => {
    const refused = await program.put<{ fields: Record<string, string> }>('/api/queue', queue)
    expect(refused.status).toBe(400)
    expect(Object.values(refused.body.fields)).toEqual([message])
    expect((await program.get<Queue>('/api/queue')).body.slots).toEqual([])
  })

  test('refuses an unknown time zone and a page of another artist', async () => {
    expect((await save({ timeZone: 'Mars/Olympus' })).status).toBe(400)
    const foreignPage = pageOf(await connect(app, await createArtist(app), 'facebook'))
    const refused = await save({ slots: [{ days: [1], time: '09:00', pages: [foreignPage] }] })
    expect(refused).toMatchObject({ status: 400, body: { fields: { slots: postMessages.pageUnknown } } })
    expect(await artist.trpc.posts.slotFor.query({ pages: [foreignPage] })).toMatchObject({ hasSlots: false, at: null })
  })

  test('changes only the given fields; a repeated day counts once', async () => {
    expect((await save({ slots: [{ days: [5, 1, 5], time: '09:00' }] })).body.slots).toEqual([
      { days: [1, 5], time: '09:00' },
    ])
    const changed = (await save({ timeZone: 'Asia/Tokyo' })).body
    expect(changed).toEqual({ timeZone: 'Asia/Tokyo', paused: false, slots: [{ days: [1, 5], time: '09:00' }] })
    expect((await program.get('/api/queue')).body).toEqual(changed)
  })

  test("set to the artist's own time zone follows it when it changes", async () => {
    const profile = (await artist.get<{ timeZone: string }>('/api/me')).body
    await save({ timeZone: 'Asia/Tokyo' })
    expect((await save({ timeZone: profile.timeZone })).body.timeZone).toBe(profile.timeZone)
    await artist.trpc.auth.chooseStudioZone.mutate({ timeZone: 'Europe/Berlin' })
    expect((await program.get<Queue>('/api/queue')).body.timeZone).toBe('Europe/Berlin')
  })

  test('keeps slots that were saved after `previousSlots` were read; a repeated save succeeds', async () => {
    const [monday, friday] = [[{ days: [1], time: '09:00', pages: [pageOf(account)] }], [{ days: [5], time: '10:00' }]]
    expect((await save({ slots: monday, previousSlots: [] })).status).toBe(200)
    expect((await save({ slots: monday, previousSlots: [] })).status).toBe(200)
    const refused = await save({ slots: friday, previousSlots: [] })
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'conflict', message: queueMessages.stale, current: { paused: false, slots: monday } },
    })
    expect((await program.get<Queue>('/api/queue')).body.slots).toEqual(monday)
    expect((await save({ slots: friday, previousSlots: monday })).body.slots).toEqual(friday)
    // Without `previousSlots` any slots are replaced.
    expect((await save({ slots: monday })).body.slots).toEqual(monday)
  })

  test('of concurrent saves by callers that have read the same slots, one succeeds', async () => {
    const saved = await Promise.all(
      ['09:00', '10:00', '11:00'].map(async (time) => await save({ slots: [{ days: [1], time }], previousSlots: [] })),
    )
    expect(saved.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409])
    expect((await program.get<Queue>('/api/queue')).body.slots).toEqual(
      saved.find(({ status }) => status === 200)?.body.slots,
    )
  })

  test('a page that was disconnected since `previousSlots` were read is no conflict', async () => {
    const other = await connect(app, artist, 'instagram')
    const slot = { days: [1], time: '09:00' }
    const previousSlots = [{ ...slot, pages: [pageOf(account), pageOf(other)] }]
    await save({ slots: previousSlots })
    await artist.delete(`/api/social-accounts/${other._id}`)
    const slots = [{ ...slot, days: [2], pages: [pageOf(account)] }]
    expect((await save({ slots, previousSlots })).body.slots).toEqual(slots)
  })

  test('the slot of a disconnected page is dropped', async () => {
    const other = await connect(app, artist, 'instagram')
    await save({ slots: [{ days: [1], time: '09:00', pages: [pageOf(other)] }] })
    await artist.delete(`/api/social-accounts/${other._id}`)
    expect((await program.get<Queue>('/api/queue')).body.slots).toEqual([])
  })
})

describe('the next slot', () => {
  test('is taken by a post, whose view shows it, and the following one by the next post', async () => {
    await save(twiceADay)
    const [first, second, third] = await times()
    const one = await enqueue()
    const two = await enqueue()
    expect([one.status, one.body.scheduledAt, two.body.scheduledAt]).toEqual([201, first, second])
    expect(await read(one.body._id)).toMatchObject({ status: 'scheduled', scheduledAt: first, queue: 'placed' })
    expect((await times())[0]).toBe(third)
    expect((await artist.trpc.posts.slotFor.query({ pages: [pageOf(account)] })).at).toBe(third)
    const range = {
      from: app.clock.now().toISOString(),
      to: new Date(app.clock.now().getTime() + 72 * hour).toISOString(),
    }
    expect((await artist.trpc.posts.calendar.query(range)).map(({ queue }) => queue)).toEqual(['placed', 'placed'])
  })

  test('is the same for all pages of a post, and stays free for other pages', async () => {
    const other = await connect(app, artist, 'instagram')
    await save({
      timeZone: 'UTC',
      slots: [
        { days: everyDay, time: '09:00', pages: [pageOf(account)] },
        { days: everyDay, time: '18:00' },
      ],
    })
    const both = await artist.trpc.posts.slotFor.query({ pages: [pageOf(account), pageOf(other)] })
    expect(both).toMatchObject({ hasSlots: true, paused: false })
    expect(both.at?.slice(11, 16)).toBe('18:00')
    const posted = await program.post<PostResult>('/api/posts/schedule', {
      mediaIds,
      variants: [...variantsOf(account), ...variantsOf(other)],
      scheduledAt: 'next-slot',
    })
    expect(posted.body.scheduledAt).toBe(both.at)
    const free = await next(50)
    const left = free.find(({ at }) => at === both.at)?.pages.map(({ pageId }) => pageId) ?? []
    expect(left).not.toContain(pageOf(account).pageId)
    expect(left).not.toContain(pageOf(other).pageId)
    expect(free.filter(({ at }) => at.slice(11, 16) === '09:00').map(({ pages }) => pages)).toContainEqual([
      pageOf(account),
    ])
    // A slot that is taken for all of its pages is not listed.
    const { scheduledAt } = (await enqueue()).body
    expect(scheduledAt.slice(11, 16)).toBe('09:00')
    expect((await next(50)).map(({ at }) => at)).not.toContain(scheduledAt)
  })

  test('is taken once by many concurrent posts', async () => {
    await save(twiceADay)
    const free = await times(8)
    const created = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => await enqueue({ message: `Number ${n}` })),
    )
    expect(created.map(({ status }) => status)).toEqual(Array(8).fill(201))
    expect(created.map(({ body }) => body.scheduledAt).toSorted()).toEqual(free)
  })

  test('cannot be taken twice, by a constraint of the database', async () => {
    await save(twiceADay)
    const [one, two] = [await enqueue(), await enqueue()]
    const targets = await app.client.db.select().from(postTargets).where(eq(postTargets.postId, two.body._id))
    const insertAgain = app.client.db
      .update(queuePlaces)
      .set({ slotAt: new Date(one.body.scheduledAt) })
      .where(eq(queuePlaces.targetId, targets[0]?.id ?? ''))
    await expect(insertAgain.catch((error: unknown) => sqlState(error))).resolves.toBe('23505')
  })

  test('a repeat with the same key returns the same slot', async () => {
    await save(twiceADay)
    const body = { mediaIds, variants: variantsOf(account), scheduledAt: 'next-slot', requestId: 'again' }
    const first = await program.post<PostResult>('/api/posts/schedule', body)
    expect((await program.post<PostResult>('/api/posts/schedule', body)).body).toEqual(first.body)
    const another = { ...body, scheduledAt: first.body.scheduledAt }
    expect((await program.post('/api/posts/schedule', another)).status).toBe(409)
  })

  test('is taken by a draft', async () => {
    await save(twiceADay)
    const [first] = await times()
    const { body: draft } = await program.post<Draft>('/api/drafts', { mediaIds, variants: variantsOf(account) })
    const postDraft = async () => await program.post<PostResult>(`/api/drafts/${draft._id}/post`, { when: 'next-slot' })
    const [one, two] = await Promise.all([postDraft(), postDraft()])
    expect(one.body).toEqual(two.body)
    expect(one.body.scheduledAt).toBe(first)
    expect((await program.get(`/api/drafts/${draft._id}`)).status).toBe(404)
  })

  test.each([
    ['is sent now', async (id: string) => await program.post(`/api/posts/${id}/publish`)],
    [
      'gets a time of its own',
      async (id: string) =>
        await program.put(`/api/posts/${id}`, {
          scheduledAt: new Date(app.clock.now().getTime() + 400 * 24 * hour).toISOString(),
        }),
    ],
    ['is deleted', async (id: string) => await program.delete(`/api/posts/${id}`)],
  ])('is free again once its post %s', async (_what, act) => {
    await save(twiceADay)
    const [first] = await times()
    const { body } = await enqueue()
    expect((await times())[0]).not.toBe(first)
    expect((await act(body._id)).status).toBe(200)
    expect((await times())[0]).toBe(first)
    expect((await read(body._id)).queue).toBeUndefined()
  })

  test('a post keeps its slot when its text changes, also with its unchanged time', async () => {
    await save(twiceADay)
    const { body } = await enqueue()
    const [variant] = (await read(body._id)).variants
    const variants = [{ _id: variant?._id, message: 'Better words' }]
    await program.put(`/api/posts/${body._id}`, { variants, scheduledAt: body.scheduledAt })
    expect(await read(body._id)).toMatchObject({ scheduledAt: body.scheduledAt, queue: 'placed' })
  })

  test('a post keeps its slot when the queue times change', async () => {
    await save(twiceADay)
    const { body } = await enqueue()
    const slots = [{ days: everyDay, time: '07:00' }]
    expect((await save({ slots })).body.slots).toEqual(slots)
    expect(await read(body._id)).toMatchObject({ scheduledAt: body.scheduledAt, queue: 'placed' })
  })

  test('is free again once its post leaves the queue; the post keeps its time and text', async () => {
    await save(twiceADay)
    const { body } = await enqueue({ message: 'On its own' })
    const left = await program.put<Post>(`/api/posts/${body._id}`, { leavesQueue: true })
    expect(left).toMatchObject({ status: 200, body: { scheduledAt: body.scheduledAt, status: 'scheduled' } })
    expect(left.body.queue).toBeUndefined()
    expect(left.body.variants[0]?.message).toBe('On its own')
    expect((await times(1))[0]).toBe(body.scheduledAt)
    // `leavesQueue` has no effect on a post outside the queue.
    const again = await artist.trpc.posts.update.mutate({ postId: body._id, leavesQueue: true })
    expect([again.scheduledAt, again.queue]).toEqual([body.scheduledAt, undefined])
    await moveClockPast(body.scheduledAt)
    expect((await untilSettled(artist, body._id)).status).toBe('posted')
  })

  test('a failed post that is retried does not wait for its slot', async () => {
    await save(twiceADay)
    const { body } = await enqueue({ message: 'Refused at first' }, account.pages.slice(0, 2))
    const refusal = { error: { message: 'x', code: 100, error_user_msg: 'Not this picture.' } }
    await fault(app, 'facebook', 'status', `/${pageOf(account).pageId}/photos`, {
      times: 20,
      status: 400,
      body: refusal,
    })
    await moveClockPast(body.scheduledAt)
    expect((await untilSettled(artist, body._id)).status).toBe('failed')
    const again = await program.post<Post>(`/api/posts/${body._id}/retry`)
    expect(again).toMatchObject({ status: 200, body: { status: 'scheduled' } })
    expect(again.body.queue).toBeUndefined()
    await control(app, 'DELETE', '/faults')
  })

  test('is refused to the 501st waiting post', async () => {
    await save(twiceADay)
    // Two pages count as one post.
    const { body } = await enqueue({}, account.pages.slice(0, 2))
    // Copies of one post, each in a slot of its own.
    await app.client.sql`
      with copies as (insert into posts select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'request_id', n::text))).* from posts p, generate_series(1, ${queueLimits.waitingMax - 2}::int) n where p.id = ${body._id} returning id),
      numbered as (select id, row_number() over () as n from copies),
      targets as (insert into post_targets select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'post_id', c.id))).* from post_targets t, numbered c where t.post_id = ${body._id} returning id, post_id, user_id, account_id, page_id)
      insert into queue_places (target_id, user_id, account_id, page_id, slot_at) select t.id, t.user_id, t.account_id, t.page_id, ${body.scheduledAt}::timestamptz + n * interval '1 minute' from targets t join numbered c on c.id = t.post_id`
    expect((await enqueue()).status).toBe(201)
    expect(await enqueue()).toMatchObject({ status: 409, body: { code: 'full', message: queueMessages.full } })
    // A published post keeps its slot, but waits no longer.
    const published = { phase: 'posted', postedAt: app.clock.now() } as const
    await app.client.db.update(postTargets).set(published).where(eq(postTargets.postId, body._id))
    expect((await enqueue()).status).toBe(201)
    expect((await enqueue()).status).toBe(409)
    // Later tests move the clock past all of them.
    await save({ paused: true })
  })

  test('is the time at which the post is published', async () => {
    await save(twiceADay)
    const { body } = await enqueue({ message: 'Out of the queue' })
    await moveClockPast(body.scheduledAt)
    const post = await untilSettled(artist, body._id)
    expect(post.status).toBe('posted')
    expect(post.queue).toBeUndefined()
  })
})

describe('a paused queue', () => {
  test('holds queued posts past their slot, and no others', async () => {
    await save(twiceADay)
    const queued = await enqueue({ message: 'Held' })
    const planned = await program.post<PostResult>('/api/posts/schedule', {
      mediaIds,
      variants: variantsOf(account, { message: 'Of its own time' }),
      scheduledAt: queued.body.scheduledAt,
    })
    expect((await save({ paused: true })).body.paused).toBe(true)
    await moveClockPast(queued.body.scheduledAt)
    // It is due at the same time as the held one.
    expect((await untilSettled(artist, planned.body._id)).status).toBe('posted')
    expect(await read(queued.body._id)).toMatchObject({
      status: 'scheduled',
      scheduledAt: queued.body.scheduledAt,
      queue: 'paused',
      variants: [{ phase: 'scheduled' }],
    })
  })

  test('still accepts posts, which wait', async () => {
    await save({ ...twiceADay, paused: true })
    const { status, body } = await enqueue()
    expect(status).toBe(201)
    expect(await read(body._id)).toMatchObject({ scheduledAt: body.scheduledAt, queue: 'paused' })
    expect((await artist.trpc.posts.slotFor.query({ pages: [pageOf(account)] })).paused).toBe(true)
  })

  test('does not hold a post that is published now', async () => {
    await save({ ...twiceADay, paused: true })
    const { body } = await enqueue({ message: 'Cannot wait' })
    expect((await program.post(`/api/posts/${body._id}/publish`)).status).toBe(200)
    expect((await untilSettled(artist, body._id)).status).toBe('posted')
  })

  test('does not hold a post whose slot has come', async () => {
    await save(twiceADay)
    const { body } = await enqueue({ message: 'Due when the queue pauses' })
    app.clock.advance(new Date(body.scheduledAt).getTime() - app.clock.now().getTime() + 11_000)
    expect((await save({ paused: true })).body.paused).toBe(true)
    await sweepTargets(other.system)
    expect((await untilSettled(artist, body._id)).status).toBe('posted')
  })

  test('does not hold a post that leaves the queue, unless its time has passed', async () => {
    await save({ ...twiceADay, paused: true })
    const [late, soon] = [await enqueue({ message: 'Too late' }), await enqueue({ message: 'In time' })]
    expect((await program.put(`/api/posts/${soon.body._id}`, { leavesQueue: true })).status).toBe(200)
    await moveClockPast(late.body.scheduledAt)
    // A time up to a minute in the past counts as now.
    app.clock.advance(60_000)
    const refused = await program.put<{ fields: Record<string, string> }>(`/api/posts/${late.body._id}`, {
      leavesQueue: true,
    })
    expect([refused.status, refused.body.fields]).toEqual([400, { scheduledAt: postMessages.schedulePast }])
    expect((await read(late.body._id)).queue).toBe('paused')
    await moveClockPast(soon.body.scheduledAt)
    expect((await untilSettled(artist, soon.body._id)).status).toBe('posted')
    expect((await read(late.body._id)).queue).toBe('paused')
  })

  test('does not hold a post that leaves the queue at the same moment', async () => {
    await save(twiceADay)
    const id = (await enqueue()).body._id
    const scheduledAt = new Date(app.clock.now().getTime() + 3 * hour).toISOString()
    const changes: Promise<{ status: number }>[] = []
    const waiting = async (count: number) =>
      await eventually('the changes to wait', async () => (await lockWaits(app.client, 'queue_places')) >= count)
    await app.client.db.transaction(async (tx) => {
      // The post is moved, and then waits for its place.
      await tx.select().from(queuePlaces).where(eq(queuePlaces.userId, artist.id)).for('update')
      changes.push(program.put(`/api/posts/${id}`, { scheduledAt }))
      await waiting(1)
      changes.push(save({ paused: true }))
      await waiting(2)
    })
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([200, 200])
    const [target] = await app.client.db.select().from(postTargets).where(eq(postTargets.postId, id))
    expect(target?.dueAt.toISOString()).toBe(scheduledAt)
  })

  test('when resumed, posts that missed their slot take the next free ones in order, others keep theirs', async () => {
    await save(twiceADay)
    // The post in the first slot is the newest.
    const deleted = (await enqueue()).body
    const later = [(await enqueue({ message: 'Two' })).body, (await enqueue({ message: 'Three' })).body]
    expect((await program.delete(`/api/posts/${deleted._id}`)).status).toBe(200)
    const created = [(await enqueue({ message: 'One' })).body, ...later]
    expect(created[0]?.scheduledAt).toBe(deleted.scheduledAt)
    await save({ paused: true })
    await moveClockPast(created[1]?.scheduledAt ?? '')
    const [free, after] = await times()
    const hook = { url: `${app.sandboxUrl}/sink/resumed`, events: ['post.scheduled'] }
    const webhook = await artist.post<{ _id: string }>('/api/webhook-endpoints', hook)
    expect((await save({ paused: false })).body.paused).toBe(false)
    const sent = await artist.get<{ type: string }[]>(`/api/webhook-endpoints/${webhook.body._id}/deliveries`)
    expect(sent.body.map(({ type }) => type)).toEqual(Array(3).fill('post.scheduled'))
    const [one, two, three] = await Promise.all(created.map(async ({ _id }) => await read(_id)))
    expect(three).toMatchObject({ scheduledAt: created[2]?.scheduledAt, queue: 'placed', status: 'scheduled' })
    expect([one?.scheduledAt, two?.scheduledAt]).toEqual([free, after])
    expect([one?.queue, two?.queue]).toEqual(['placed', 'placed'])
    await moveClockPast(three?.scheduledAt ?? '')
    expect((await untilSettled(artist, three?._id ?? '')).status).toBe('posted')
    expect((await read(one?._id ?? '')).status).toBe('scheduled')
    await moveClockPast(one?.scheduledAt ?? '')
    expect((await untilSettled(artist, one?._id ?? '')).status).toBe('posted')
  })

  test('cannot be resumed while a waiting post has no free slot', async () => {
    await save(twiceADay)
    const { body } = await enqueue()
    await save({ paused: true })
    await moveClockPast(body.scheduledAt)
    expect(await save({ paused: false, slots: [] })).toMatchObject({
      status: 409,
      body: { message: queueMessages.noSlotsToResume },
    })
    expect((await program.get<Queue>('/api/queue')).body).toMatchObject({ paused: true, slots: twiceADay.slots })
    expect((await read(body._id)).queue).toBe('paused')
  })

  test('fails no post when the subscription ends while paused, and resumes with it', async () => {
    await save(twiceADay)
    const { body } = await enqueue({ message: 'Over the gap' })
    await save({ paused: true })
    const set = async (status: 'canceled' | 'active') =>
      await app.client.db.update(subscriptions).set({ status }).where(eq(subscriptions.userId, artist.id))
    await set('canceled')
    expect((await save({ paused: false })).status).toBe(403)
    await moveClockPast(body.scheduledAt)
    await set('active')
    expect(await read(body._id)).toMatchObject({ status: 'scheduled', queue: 'paused' })
    await save({ paused: false })
    const moved = await read(body._id)
    await moveClockPast(moved.scheduledAt)
    expect((await untilSettled(artist, body._id)).status).toBe('posted')
  })
})
