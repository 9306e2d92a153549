import { draftLimits } from '@flashsheet/contracts/drafts/limits'
import { draftMessages } from '@flashsheet/contracts/drafts/messages'
import type { Draft } from '@flashsheet/contracts/drafts/schema'
import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { postLimits } from '@flashsheet/contracts/posts/limits'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Post, PostResult } from '@flashsheet/contracts/posts/schema'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { postDrafts } from '@flashsheet/db/schema/drafts'
import { posts } from '@flashsheet/db/schema/posts'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../core/ids.ts'
import { createArtist, type Artist, type Visitor } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { connect } from '../../testing/connect.ts'
import { createProgram } from '../../testing/keys.ts'
import { lockWaits } from '../../testing/lock-waits.ts'
import { untilSettled, uploadPictures, variantsOf } from '../../testing/posting.ts'

let app: TestApp
let artist: Artist
let program: Visitor
let account: SocialAccount
let mediaIds: string[]
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.stop())
beforeEach(async () => {
  artist = await createArtist(app)
  account = await connect(app, artist, 'facebook')
  mediaIds = await uploadPictures(artist)
  program = await createProgram(app, artist, ['posts:write'])
})

const nobody = '00000000-0000-7000-8000-000000000000'
const inHours = (hours: number) => new Date(app.clock.now().getTime() + hours * 3_600_000).toISOString()
const content = (message = 'Fresh flash') => ({ title: 'Flash', mediaIds, variants: variantsOf(account, { message }) })
const draft = async (body: object = content()) => (await program.post<Draft>('/api/drafts', body)).body
const list = async () => (await program.get<Draft[]>('/api/drafts')).body
const postsOf = async () => await app.client.db.select().from(posts).where(eq(posts.userId, artist.id))

describe('a draft', () => {
  test.each([
    ['a title that is too long', { title: 'x'.repeat(postLimits.titleMax + 1) }, postMessages.titleTooLong],
    ['too many media', { mediaIds: Array(mediaLimits.imagesPerPost + 1).fill(nobody) }, postMessages.tooManyImages],
    ['media that are nobody’s', { mediaIds: [nobody] }, postMessages.mediaUnknown],
    ['a time that is none', { scheduledAt: 'tomorrow' }, postMessages.scheduleRequired],
  ])('is refused for %s', async (_what, body, message) => {
    const refused = await program.post<{ fields: Record<string, string> }>('/api/drafts', body)
    expect(refused.status).toBe(400)
    expect(Object.values(refused.body.fields)).toEqual([message])
    expect(await list()).toEqual([])
  })

  test('is refused for media and pages of another artist', async () => {
    const other = await createArtist(app)
    const theirs = await connect(app, other, 'facebook')
    const [media = ''] = await uploadPictures(other)
    for (const body of [{ mediaIds: [media] }, { variants: variantsOf(theirs) }])
      expect((await program.post('/api/drafts', body)).status).toBe(400)
    const { _id, version } = await draft()
    expect((await program.put(`/api/drafts/${_id}`, { version, mediaIds: [media] })).status).toBe(400)
    expect(await list()).toMatchObject([{ _id, version, mediaIds }])
  })

  test('is refused for a page picked twice, and for too much text', async () => {
    const [one] = variantsOf(account)
    expect((await program.post('/api/drafts', { variants: [one, one] })).body).toMatchObject({
      message: postMessages.pageTwice,
    })
    const [long] = variantsOf(account, { message: 'x'.repeat(postLimits.captionMax) })
    const many = Array.from({ length: postLimits.variantsMax }, () => long)
    expect((await program.post('/api/drafts', { variants: many })).body).toMatchObject({
      message: draftMessages.tooLong,
    })
    expect(await list()).toEqual([])
  })

  test('may be empty, is returned as it was stored, and is listed newest first', async () => {
    const first = await program.post<Draft>('/api/drafts', {})
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({ version: 1, title: '', mediaIds: [], variants: [], scheduledAt: null })
    const scheduledAt = inHours(5)
    const second = await draft({ ...content(), scheduledAt })
    expect(second).toMatchObject({ title: 'Flash', mediaIds, variants: [{ message: 'Fresh flash', options: {} }] })
    expect(second.scheduledAt).toBe(scheduledAt)
    expect((await program.get(`/api/drafts/${second._id}`)).body).toEqual(second)
    expect(await list()).toEqual([second, first.body])
    const page = await program.get<Draft[]>('/api/drafts?limit=1')
    expect(page.body).toEqual([second])
    const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
    expect((await program.get(next.slice(new URL(next).origin.length))).body).toEqual([first.body])
  })

  test('is stored once per idempotency key, quoted or not, also by two calls at the same time', async () => {
    const ask = async (body: object, by = program, key = 'one') => {
      const headers = { 'idempotency-key': key, 'content-type': 'application/json' }
      const answer = await by.fetch('/api/drafts', { method: 'POST', headers, body: JSON.stringify(body) })
      return { status: answer.status, body: (await answer.json()) as Draft }
    }
    const [one, two] = await Promise.all([ask(content()), ask(content())])
    expect([one.status, two.status]).toEqual([201, 201])
    expect(one.body).toEqual(two.body)
    expect((await ask(content(), program, '"one"')).body).toEqual(one.body)
    expect((await ask({}, program, '""')).status).toBe(400)
    expect((await ask(content('Other words'))).body).toMatchObject({ message: draftMessages.requestReused })
    expect(await list()).toEqual([one.body])
    const other = await createProgram(app, await createArtist(app), ['posts:write'])
    expect((await ask({}, other)).status).toBe(201)
  })

  test('beyond 200 is refused, also as a copy of a post', async () => {
    const now = app.clock.now()
    const rows = Array.from({ length: draftLimits.perArtist }, () => {
      const id = newId()
      const none = { title: '', mediaIds: [], variants: [], scheduledAt: null, requestHash: '' }
      return { id, userId: artist.id, ...none, requestId: id, createdAt: now, updatedAt: now }
    })
    await app.client.db.insert(postDrafts).values(rows)
    expect(await program.post('/api/drafts', {})).toMatchObject({ status: 409, body: { code: 'full' } })
    const post = await program.post<PostResult>('/api/posts/schedule', { ...content(), scheduledAt: inHours(2) })
    expect(await program.post(`/api/posts/${post.body._id}/duplicate`)).toMatchObject({
      status: 409,
      body: { code: 'full', message: draftMessages.full },
    })
    expect(await list()).toHaveLength(draftLimits.perArtist)
  })

  test('is inaccessible without a subscription, and accessible again with one', async () => {
    const { _id } = await draft()
    const set = async (status: 'canceled' | 'active') =>
      await app.client.db.update(subscriptions).set({ status }).where(eq(subscriptions.userId, artist.id))
    await set('canceled')
    const refused = await program.post(`/api/drafts/${_id}/post`, { when: 'now' })
    expect(refused).toMatchObject({ status: 403, body: { code: 'no_subscription' } })
    await set('active')
    expect((await program.get(`/api/drafts/${_id}`)).status).toBe(200)
  })
})

describe('changing a draft', () => {
  test('does not change omitted fields', async () => {
    const scheduledAt = inHours(5)
    const { _id } = await draft({ ...content(), scheduledAt })
    const changed = await program.put<Draft>(`/api/drafts/${_id}`, { version: 1, title: 'Another' })
    expect(changed.body).toMatchObject({ version: 2, title: 'Another', mediaIds, scheduledAt })
    const emptied = await program.put<Draft>(`/api/drafts/${_id}`, { version: 2, mediaIds: [], scheduledAt: null })
    expect(emptied.body).toMatchObject({ version: 3, title: 'Another', mediaIds: [], scheduledAt: null })
    expect(emptied.body.variants).toHaveLength(1)
  })

  test('with an outdated version returns the current draft and overwrites nothing', async () => {
    const { _id } = await draft()
    const both = await Promise.all(
      ['One', 'Two'].map(async (title) => await program.put<Draft>(`/api/drafts/${_id}`, { version: 1, title })),
    )
    const written = both.find(({ status }) => status === 200)?.body
    const stale = both.find(({ status }) => status === 409)
    expect(written).toBeDefined()
    expect(stale?.body).toMatchObject({ message: draftMessages.stale, current: written })
    expect(await list()).toEqual([written])
  })

  test('that was deleted: not found', async () => {
    const { _id, version } = await draft()
    expect((await program.delete(`/api/drafts/${_id}`)).body).toEqual({ deleted: true })
    expect((await program.put(`/api/drafts/${_id}`, { version, title: 'x' })).status).toBe(404)
    expect((await program.delete(`/api/drafts/${_id}`)).status).toBe(404)
    expect((await program.get('/api/drafts/nonsense')).status).toBe(404)
  })

  test('deleted media are removed from drafts, with their crops', async () => {
    const three = await uploadPictures(artist, 3)
    const crops = [0.1, 0.2, 0.3].map((y) => ({ x: 0, y, width: 1, height: 0.5 }))
    const { _id } = await draft({ mediaIds: three, variants: variantsOf(account, { crops }) })
    const other = await draft()
    expect((await artist.delete('/api/media', { ids: [three[1]] })).status).toBe(200)
    const { body } = await program.get<Draft>(`/api/drafts/${_id}`)
    expect(body).toMatchObject({ version: 2, mediaIds: [three[0], three[2]] })
    expect(body.variants[0]?.crops).toEqual([crops[0], crops[2]])
    expect((await program.get(`/api/drafts/${other._id}`)).body).toEqual(other)
  })
})

describe('posting a draft', () => {
  test.each([
    ['without a time', {}, draftMessages.whenRequired],
    ['for a time that is none', { when: 'soon' }, draftMessages.whenRequired],
  ])('%s is refused', async (_what, body, message) => {
    const { _id } = await draft()
    const refused = await program.post<{ fields: object }>(`/api/drafts/${_id}/post`, body)
    expect(refused).toMatchObject({ status: 400, body: { fields: { when: message } } })
    expect(await list()).toHaveLength(1)
  })

  test('is refused for the same reasons as a post, and keeps the draft', async () => {
    const bare = await draft({ mediaIds })
    expect((await program.post(`/api/drafts/${bare._id}/post`, { when: 'now' })).body).toMatchObject({
      message: postMessages.pageRequired,
    })
    const none = await draft({ variants: variantsOf(account) })
    expect((await program.post(`/api/drafts/${none._id}/post`, { when: 'now' })).body).toMatchObject({
      message: postMessages.mediaRequired,
    })
    const past = await draft()
    expect((await program.post(`/api/drafts/${past._id}/post`, { when: inHours(-1) })).body).toMatchObject({
      message: postMessages.schedulePast,
      fields: { when: postMessages.schedulePast },
    })
    await artist.delete(`/api/social-accounts/${account._id}`)
    expect((await program.post(`/api/drafts/${past._id}/post`, { when: 'now' })).body).toMatchObject({
      message: postMessages.pageUnknown,
    })
    expect(await list()).toHaveLength(3)
    expect(await postsOf()).toEqual([])
  })

  test('posts its content and deletes the draft', async () => {
    const { _id } = await draft(content('Out of a draft'))
    const posted = await program.post<PostResult>(`/api/drafts/${_id}/post`, { when: 'now' })
    expect(posted.status).toBe(202)
    expect(await list()).toEqual([])
    const post = await untilSettled(artist, posted.body._id)
    expect(post).toMatchObject({ status: 'posted', mediaIds, variants: [{ message: 'Out of a draft' }] })
  })

  test('posts the given changes, and makes one post of a repeat', async () => {
    const { _id, version } = await draft(content('As it was stored'))
    const when = inHours(3)
    const mine = { ...content('As I see it'), title: undefined, version, when }
    const post = async (body: object = mine) => await program.post<PostResult>(`/api/drafts/${_id}/post`, body)
    const [one, two] = await Promise.all([post(), post()])
    const later = await post()
    expect([one.status, two.status, later.status]).toEqual([202, 202, 202])
    expect([two.body, later.body]).toEqual([one.body, one.body])
    expect(await list()).toEqual([])
    expect((await program.get<Post>(`/api/posts/${one.body._id}`)).body.variants[0]?.message).toBe('As I see it')
    for (const other of [{ ...content('Other words'), version, when }, { when }])
      expect(await post(other)).toMatchObject({ status: 409, body: { message: postMessages.requestReused } })
    expect(await postsOf()).toHaveLength(1)
  })

  test('with an outdated version returns the current draft and posts nothing', async () => {
    const { _id, version } = await draft()
    const changed = await program.put<Draft>(`/api/drafts/${_id}`, { version, title: 'Changed elsewhere' })
    const refused = await program.post(`/api/drafts/${_id}/post`, { ...content('Mine'), version, when: 'now' })
    expect(refused).toMatchObject({ status: 409, body: { message: draftMessages.stale, current: changed.body } })
    expect(await list()).toEqual([changed.body])
    expect(await postsOf()).toEqual([])
  })

  test('while it is changed returns the current draft and posts nothing', async () => {
    const { _id } = await draft()
    let posting: ReturnType<typeof program.post> | undefined
    await app.client.db.transaction(async (tx) => {
      await tx.update(postDrafts).set({ version: 2, title: 'Changed elsewhere' }).where(eq(postDrafts.id, _id))
      posting = program.post(`/api/drafts/${_id}/post`, { when: 'now' })
      await expect.poll(async () => await lockWaits(app.client, 'delete from "post_drafts"')).toBe(1)
    })
    expect(await posting).toMatchObject({ status: 409, body: { message: draftMessages.stale } })
    expect(await list()).toMatchObject([{ title: 'Changed elsewhere' }])
    expect(await postsOf()).toEqual([])
  })

  test('with invalid changes does not change the stored draft', async () => {
    const stored = await draft()
    const other = await createArtist(app)
    const theirs = variantsOf(await connect(app, other, 'facebook'))
    for (const changes of [{ mediaIds: [] }, { mediaIds: [nobody] }, { variants: [] }, { variants: theirs }])
      expect((await program.post(`/api/drafts/${stored._id}/post`, { ...changes, when: 'now' })).status).toBe(400)
    expect(await list()).toEqual([stored])
    expect(await postsOf()).toEqual([])
  })

  test('with a time creates a post for that time', async () => {
    const { _id } = await draft()
    const when = inHours(3)
    const { body } = await program.post<PostResult>(`/api/drafts/${_id}/post`, { when })
    const post = await program.get<Post>(`/api/posts/${body._id}`)
    expect(post.body).toMatchObject({ status: 'scheduled', scheduledAt: when })
  })

  test('by two tabs at once, and again later, makes one post', async () => {
    const { _id } = await draft()
    const when = inHours(3)
    const post = async () => await program.post<PostResult>(`/api/drafts/${_id}/post`, { when })
    const [one, two] = await Promise.all([post(), post()])
    const later = await post()
    expect([one.status, two.status, later.status]).toEqual([202, 202, 202])
    expect([two.body, later.body]).toEqual([one.body, one.body])
    expect(await postsOf()).toHaveLength(1)
    expect(await program.post(`/api/drafts/${_id}/post`, { when: 'now' })).toMatchObject({
      status: 409,
      body: { message: postMessages.requestReused },
    })
    expect(await postsOf()).toHaveLength(1)
  })
})
