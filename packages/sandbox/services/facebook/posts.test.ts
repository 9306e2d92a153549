import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { picture } from '../../fixtures/videos.ts'
import { type NetworkFixture, startNetworkFixture } from '../network-fixture.ts'
import { connect, type FacebookLogin, graph } from './login-for-tests.ts'

let fixture: NetworkFixture
let login: FacebookLogin
let page: FacebookLogin['pages'][number]
let other: FacebookLogin['pages'][number]
beforeAll(async () => {
  fixture = await startNetworkFixture()
  login = await connect(fixture)
  ;[page, other] = login.pages as [typeof page, typeof other]
})
afterAll(() => fixture.stop())
afterEach(() => void vi.useRealTimers())

let salt = 0
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const photo = async (to = page, extra: Record<string, string> = {}) => {
  const form = new FormData()
  form.set('source', new Blob([await picture(640, 480, ++salt)]), 'flash.jpg')
  form.set('published', 'false')
  for (const [key, value] of Object.entries(extra)) form.set(key, value)
  return fixture.call('POST', `${graph}/${to.id}/photos`, { headers: bearer(to.access_token), form })
}
const feed = (json: unknown, to = page) =>
  fixture.call('POST', `${graph}/${to.id}/feed`, { headers: bearer(to.access_token), json })
const attach = (...ids: unknown[]) => ids.map((id) => ({ media_fbid: id }))

test('publishing needs the page token, the permission and the task', async () => {
  const withUser = await fixture.call('POST', `${graph}/${page.id}/feed`, {
    headers: bearer(login.user),
    json: { message: 'hi' },
  })
  expect([withUser.status, withUser.body.error?.code]).toEqual([403, 200])
  const declined = await connect(fixture, '&decline=pages_manage_posts')
  expect((await feed({ message: 'hi' }, declined.pages[0])).body.error).toMatchObject({ code: 200 })
  const guest = await connect(fixture, '&as=10226001845530123')
  expect((await feed({ message: 'hi' }, guest.pages[1])).body.error).toMatchObject({ code: 200 })
  expect(
    (
      await fixture.call('POST', `${graph}/${other.id}/feed`, {
        headers: bearer(page.access_token),
        json: { message: 'hi' },
      })
    ).body.error,
  ).toMatchObject({ code: 100, error_subcode: 33 })
  expect(await fixture.posts('facebook', guest.pages[1]!.id)).toEqual([])
})

test('rejects a photo that is no image, too big, or cannot be fetched', async () => {
  const upload = (json: unknown) =>
    fixture.call('POST', `${graph}/${page.id}/photos`, { headers: bearer(page.access_token), json })
  expect((await upload({ published: false })).body.error).toMatchObject({ code: 324 })
  expect(
    (await upload({ published: false, url: fixture.host('note.jpg', Buffer.from('not a picture')) })).body.error,
  ).toMatchObject({ code: 324, error_subcode: 2069019 })
  expect(
    (await upload({ published: false, url: `${fixture.host('x', Buffer.from('x'))}-gone.jpg` })).body.error,
  ).toMatchObject({ code: 324, error_subcode: 2069019 })
  expect((await upload({ published: false, url: 'file:///etc/hostname' })).body.error).toMatchObject({ code: 324 })
  const heavy = Buffer.concat([await picture(640, 480, 900), Buffer.alloc(10 * 1024 * 1024)])
  expect((await upload({ published: false, url: fixture.host('heavy.jpg', heavy) })).body.error).toMatchObject({
    code: 100,
    error_subcode: 1366046,
  })
})

test('rejects an empty post, one that is too long, and broken JSON', async () => {
  expect((await feed({})).body.error).toMatchObject({ code: 100 })
  expect((await feed({ message: 'a'.repeat(63_207) })).body.error).toMatchObject({ code: 100 })
  const broken = await fixture.call('POST', `${graph}/${page.id}/feed`, {
    headers: { ...bearer(page.access_token), 'content-type': 'application/json' },
    body: '{"message":',
  })
  expect([broken.status, broken.body.error?.code]).toEqual([400, 100])
  expect((await feed({ message: 'x', attached_media: [{ id: '1' }] })).body.error).toMatchObject({ code: 100 })
})

test('rejects an unpublished photo for another page, a second time, and after its post', async () => {
  const { id } = (await photo()).body
  expect((await feed({ message: 'theirs', attached_media: attach(id) }, other)).body.error).toMatchObject({
    code: 100,
    error_subcode: 1366051,
  })
  expect((await feed({ message: 'twice', attached_media: attach(id, id) })).body.error).toMatchObject({
    error_subcode: 1366051,
  })
  expect((await feed({ message: 'invented', attached_media: attach('123') })).body.error).toMatchObject({ code: 100 })
  expect((await feed({ message: 'once', attached_media: attach(id) })).status).toBe(200)
  expect((await feed({ message: 'again', attached_media: attach(id) })).body.error).toMatchObject({
    error_subcode: 1366051,
    fbtrace_id: expect.any(String),
  })
  expect((await fixture.posts('facebook', page.id)).filter((post) => post.text === 'again')).toEqual([])
})

test('photos by address and by upload become one public post, which lists their photo ids', async () => {
  const bytes = await picture(800, 600, 77)
  const byUrl = await fixture.call('POST', `${graph}/${page.id}/photos`, {
    headers: bearer(page.access_token),
    json: { url: fixture.host('one.jpg', bytes), published: false },
  })
  expect(fixture.requests.at(-1)).toMatchObject({
    path: '/one.jpg',
    agent: expect.stringContaining('facebookexternalhit'),
  })
  const second = await photo(page, { alt_text_custom: 'a swallow' })
  expect(Object.keys(byUrl.body)).toEqual(['id'])
  expect((await fixture.posts('facebook', page.id)).some((post) => post.text === 'Two swallows')).toBe(false)

  const made = await feed({ message: 'Two swallows', attached_media: attach(byUrl.body['id'], second.body['id']) })
  expect(made.body['id']).toMatch(new RegExp(`^${page.id}_\\d+$`))
  const seen = (await fixture.posts('facebook', page.id)).find((post) => post.text === 'Two swallows')
  expect(seen).toMatchObject({ kind: 'post', extras: { altTexts: ['', 'a swallow'] }, comments: [] })
  expect(seen?.media).toHaveLength(2)
  expect(seen?.media[0]).toMatchObject({
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes: bytes.byteLength,
    type: 'image/jpeg',
    width: 800,
    height: 600,
    durationMs: 0,
  })
  const read = await fixture.call(
    'GET',
    `${graph}/${String(made.body['id'])}?fields=permalink_url,created_time&access_token=${page.access_token}`,
  )
  expect(read.body['permalink_url']).toBe(seen?.permalink)

  const since = Math.floor(Date.now() / 1000) - 60
  const fields = 'id,message,created_time,permalink_url,attachments{subattachments{target{id}},target{id}}'
  const listed = await fixture.call(
    'GET',
    `${graph}/${page.id}/published_posts?fields=${fields}&since=${since}&limit=25&access_token=${page.access_token}`,
  )
  const found = (listed.body['data'] as Record<string, unknown>[]).find((post) => post['id'] === made.body['id'])
  expect(found?.['attachments']).toEqual({
    data: [
      {
        target: { id: expect.any(String) },
        subattachments: { data: [{ target: { id: byUrl.body['id'] } }, { target: { id: second.body['id'] } }] },
      },
    ],
  })
  expect(JSON.parse(listed.headers.get('x-business-use-case-usage') ?? '{}')).toHaveProperty([page.id])
})

test('form fields work as JSON does, with read-after-write, and a single photo keeps its id in the attachment', async () => {
  const { id } = (await photo(other)).body
  const form = {
    message: 'One rose',
    'attached_media[0]': JSON.stringify({ media_fbid: id }),
    access_token: other.access_token,
  }
  const made = await fixture.call('POST', `${graph}/${other.id}/feed?fields=id,permalink_url`, { form })
  expect(made.body['permalink_url']).toMatch(/^https:\/\/www\.facebook\.com\//)
  const read = await fixture.call(
    'GET',
    `graph.facebook.com/${String(made.body['id'])}?fields=attachments{target{id}}&access_token=${other.access_token}`,
  )
  expect(read.body['attachments']).toEqual({ data: [{ target: { id } }] })
})

test('rejects the same text twice in a row with 506, and accepts it after another text', async () => {
  expect((await feed({ message: 'Books open' }, other)).status).toBe(200)
  expect((await feed({ message: 'Books open' }, other)).body.error).toMatchObject({ code: 506 })
  expect((await feed({ message: 'Books closed' }, other)).status).toBe(200)
  expect((await feed({ message: 'Books open' }, other)).status).toBe(200)
  expect((await fixture.posts('facebook', other.id)).filter((post) => post.text === 'Books open')).toHaveLength(2)
})

test('fault ghost-duplicate rejects with 506 though there is no such post; the next attempt publishes the same photo', async () => {
  const { id } = (await photo()).body
  await fixture.fault({ service: 'facebook', kind: 'ghost-duplicate', method: 'POST', path: '/feed' })
  expect((await feed({ message: 'Ghost', attached_media: attach(id) })).body.error).toMatchObject({ code: 506 })
  expect((await fixture.posts('facebook', page.id)).some((post) => post.text === 'Ghost')).toBe(false)
  expect((await feed({ message: 'Ghost', attached_media: attach(id) })).status).toBe(200)
})

test('an unused photo expires after a day, and by fault expire-container at once', async () => {
  const [first, second] = [(await photo()).body['id'], (await photo()).body['id']]
  await fixture.fault({ service: 'facebook', kind: 'expire-container', method: 'POST', path: '/feed' })
  for (const _ of [1, 2])
    expect((await feed({ message: 'Lapsed', attached_media: attach(first) })).body.error).toMatchObject({
      code: 100,
      error_subcode: 33,
    })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 3_600_000 })
  expect((await feed({ message: 'Lapsed', attached_media: attach(second) })).body.error).toMatchObject({
    code: 100,
    error_subcode: 33,
  })
  expect(
    (await fixture.call('GET', `${graph}/${String(second)}`, { headers: bearer(page.access_token) })).body.error,
  ).toMatchObject({ error_subcode: 33 })
  vi.useRealTimers()
  expect((await fixture.posts('facebook', page.id)).some((post) => post.text === 'Lapsed')).toBe(false)
})

test('fault processing-fails refuses the photo', async () => {
  await fixture.fault({ service: 'facebook', kind: 'processing-fails', method: 'POST', path: '/photos' })
  expect((await photo()).body.error).toMatchObject({ code: 324 })
})

test('a deleted post disappears from the public feed, and only its own page may delete it', async () => {
  const made = String((await feed({ message: 'Wrong day' })).body['id'])
  expect(
    (await fixture.call('DELETE', `${graph}/${made}`, { headers: bearer(other.access_token) })).body.error,
  ).toMatchObject({ error_subcode: 33 })
  expect((await fixture.call('DELETE', `${graph}/${made}`, { headers: bearer(page.access_token) })).body).toEqual({
    success: true,
  })
  expect(
    (await fixture.call('GET', `${graph}/${made}`, { headers: bearer(page.access_token) })).body.error,
  ).toMatchObject({ error_subcode: 33 })
  expect((await fixture.posts('facebook', page.id)).some((post) => post.id === made)).toBe(false)
})
