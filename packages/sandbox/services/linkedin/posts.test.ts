import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { videoFixture, picture } from '../../fixtures/videos.ts'
import { padded } from '../../fixtures/raw-sends.ts'
import { belowSandbox, type NetworkFixture, startNetworkFixture } from '../network-fixture.ts'
import { call, codeOf, encoded, image, login, foreignPage, studio, supply, textPost, video } from './login-for-tests.ts'
import { shownText } from './little-text.ts'

let fixture: NetworkFixture
let token = ''
let salt = 0
beforeAll(async () => {
  fixture = await startNetworkFixture(0)
})
beforeEach(async () => {
  await fixture.call('POST', '_control/reset')
  token = (await login(fixture)).access_token
})
afterAll(() => fixture.stop())

const create = (body: unknown, as = token) => call(fixture, 'POST', 'posts', as, body)
const flash = async (owner = studio) => image(fixture, token, await picture(600, 400, (salt += 1)), owner)
const find = (author = studio) =>
  call(fixture, 'GET', `posts?author=${encoded(author)}&q=author&count=10&sortBy=LAST_MODIFIED`, token, undefined, {
    'x-restli-method': 'FINDER',
  })

test.each([
  [{ colour: 'red' }, '/colour :: unrecognized field'],
  [
    { distribution: { feedDistribution: 'MAIN_FEED', targetEnties: [], thirdPartyDistributionChannels: [] } },
    '/distribution/targetEnties :: unrecognized',
  ],
  [{ distribution: undefined }, '/distribution :: field is required'],
  [{ content: { media: { id: 'urn:li:image:1', kind: 'photo' } } }, '/content/media/kind :: unrecognized'],
  [{ content: { multiImage: { images: [{ altText: 'x' }] } } }, '/content/multiImage/images/0/id :: field is required'],
  [{ commentary: 7 }, '/commentary :: is not of the expected type'],
])('rejects unknown fields with 422: %o', async (more, message) => {
  const answer = await create(textPost('Hello', more))
  expect(answer.status).toBe(422)
  expect(String(answer.body['message'])).toContain(message)
})

test('rejects values it cannot post, and publishes nothing', async () => {
  const [one, other] = [await flash(), await flash(supply)]
  const content = (ids: string[]) => ({ multiImage: { images: ids.map((id) => ({ id, altText: '' })) } })
  const cases: [Record<string, unknown>, number, string][] = [
    [{ author: 'urn:li:person:tR9wX2kQpL' }, 400, 'INVALID_URN_TYPE'],
    [{ author: foreignPage }, 403, 'ACCESS_DENIED'],
    [{ visibility: 'CONNECTIONS' }, 400, 'INVALID_VALUE_FOR_FIELD'],
    [{ lifecycleState: 'SCHEDULED' }, 400, 'INVALID_VALUE_FOR_FIELD'],
    [{ commentary: 'x'.repeat(3001) }, 400, 'FIELD_LENGTH_TOO_LONG'],
    [{ commentary: String.raw`\_`.repeat(1501) }, 400, 'FIELD_LENGTH_TOO_LONG'],
    [{ content: content([one]) }, 400, 'INVALID_VALUE_FOR_FIELD'],
    [{ content: content(Array.from({ length: 21 }, () => one)) }, 400, 'INVALID_VALUE_FOR_FIELD'],
    [{ content: {} }, 400, 'INVALID_VALUE_FOR_FIELD'],
    [{ content: { media: { id: one, altText: 'x'.repeat(4087) } } }, 400, 'FIELD_LENGTH_TOO_LONG'],
    [{ content: { media: { id: 'urn:li:image:none' } } }, 400, 'INVALID_URN_ID'],
    [{ content: { media: { id: other } } }, 400, 'INVALID_URN_ID'],
  ]
  for (const [more, status, code] of cases) {
    const answer = await create(textPost('Hello', more))
    expect([answer.status, codeOf(answer)]).toEqual([status, code])
  }
  const reader = await login(fixture, { scope: 'r_organization_social', as: 'mV4cJ7yBnZ' })
  const noScope = await create(textPost('Hello', { author: foreignPage }), reader.access_token)
  expect(noScope.status).toBe(400)
  expect(String(noScope.body['message'])).toContain('Organization permissions must be used')
  expect(await fixture.posts('linkedin')).toEqual([])
})

test('rejects media that is waiting, processing or broken', async () => {
  const made = await call(fixture, 'POST', 'images?action=initializeUpload', token, {
    initializeUploadRequest: { owner: studio },
  })
  const waiting = (made.body['value'] as { image: string }).image
  expect(codeOf(await create(textPost('Hello', { content: { media: { id: waiting } } })))).toBe(
    'MEDIA_ASSET_WAITING_UPLOAD',
  )
  const broken = await image(fixture, token, Buffer.from('no picture'))
  expect(codeOf(await create(textPost('Hello', { content: { media: { id: broken } } })))).toBe(
    'MEDIA_ASSET_PROCESSING_FAILED',
  )
  await fixture.limits({ processingMs: 60_000 })
  expect(codeOf(await create(textPost('Hello', { content: { media: { id: await flash() } } })))).toBe(
    'MEDIA_ASSET_PROCESSING',
  )
})

test('posts two pictures: 201, an empty body, the URN in the header, and the post can be read', async () => {
  const bytes = [await picture(600, 400, 1001), await picture(500, 500, 1002, 'png')]
  const ids = [
    await image(fixture, token, bytes[0] ?? Buffer.alloc(0)),
    await image(fixture, token, bytes[1] ?? Buffer.alloc(0)),
  ]
  const content = { multiImage: { images: ids.map((id) => ({ id, altText: 'A koi' })) } }
  const made = await create(textPost('Koi \\(healed\\) #flash', { content }))
  expect(made.status).toBe(201)
  expect(made.body).toEqual({ text: '' })
  const urn = made.headers.get('x-restli-id') ?? ''
  expect(urn).toMatch(/^urn:li:share:\d{19}$/)
  const read = await call(fixture, 'GET', `posts/${encoded(urn)}`, token)
  expect(read.body).toMatchObject({ id: urn, author: studio, lifecycleState: 'PUBLISHED', content })
  expect((await find()).body['elements']).toMatchObject([{ id: urn, content }])
  expect((await find(supply)).body['elements']).toEqual([])
  const [seen] = await fixture.posts('linkedin', '40718201')
  expect(seen).toMatchObject({ id: urn, text: 'Koi (healed) #flash', title: '', kind: 'post' })
  expect(seen).toMatchObject({ extras: { altTexts: ['A koi', 'A koi'] }, comments: [] })
  expect(seen?.media.map((one) => [one.sha256, one.type])).toEqual([
    [
      createHash('sha256')
        .update(bytes[0] ?? '')
        .digest('hex'),
      'image/jpeg',
    ],
    [
      createHash('sha256')
        .update(bytes[1] ?? '')
        .digest('hex'),
      'image/png',
    ],
  ])
  expect((await fixture.call('GET', belowSandbox(seen?.permalink))).headers.get('location')).toBe(
    `/wall/linkedin/${encoded(urn)}`,
  )
})

test('a video becomes a ugcPost and reads PUBLISH_REQUESTED at first', async () => {
  const urn = await video(fixture, token, padded(videoFixture('portrait-5s.mp4'), 400_000))
  await fixture.limits({ processingMs: 60_000 })
  const made = await create(textPost('Timelapse', { content: { media: { id: urn, title: 'Koi' } } }))
  const post = made.headers.get('x-restli-id') ?? ''
  expect(post).toMatch(/^urn:li:ugcPost:/)
  const state = async () => (await call(fixture, 'GET', `posts/${encoded(post)}`, token)).body['lifecycleState']
  expect(await state()).toBe('PUBLISH_REQUESTED')
  // The finder lags behind, the post itself does not.
  expect((await find()).body['elements']).toEqual([])
  fixture.advance(60_000)
  expect(await state()).toBe('PUBLISHED')
  expect((await find()).body['elements']).toHaveLength(1)
})

test('rejects unencoded URNs in path and query', async () => {
  const made = await create(textPost('Hello'))
  const urn = made.headers.get('x-restli-id') ?? ''
  expect((await call(fixture, 'GET', `posts/${urn}`, token)).status).toBe(400)
  expect((await call(fixture, 'GET', `posts?author=${studio}&q=author`, token)).status).toBe(400)
  expect((await call(fixture, 'DELETE', `posts/${urn}`, token)).status).toBe(400)
})

test('the same post within ten minutes is a duplicate whose error names the first', async () => {
  const id = await flash()
  const body = textPost('Booked out', { content: { media: { id } } })
  const urn = (await create(body)).headers.get('x-restli-id') ?? ''
  const again = await create(body)
  expect(again.status).toBe(422)
  expect(codeOf(again)).toBe('DUPLICATE_POST')
  expect(String(again.body['message'])).toContain(`Content is a duplicate of ${urn}`)
  // The same picture with another text, and the same text with another picture, are no duplicates.
  expect((await create({ ...body, commentary: 'Books open' })).status).toBe(201)
  expect((await create(textPost('Booked out', { content: { media: { id: await flash() } } }))).status).toBe(201)
  expect(await fixture.posts('linkedin')).toHaveLength(3)
})

test('after a lost answer the post exists, and sending it again is refused', async () => {
  await fixture.fault({
    service: 'linkedin',
    method: 'POST',
    path: 'rest/posts',
    kind: 'status-after-commit',
    status: 500,
  })
  const body = textPost('Walk-ins on Friday')
  expect((await create(body)).status).toBe(500)
  const elements = (await find()).body['elements'] as { id: string; commentary: string }[]
  expect(elements).toMatchObject([{ commentary: 'Walk-ins on Friday' }])
  expect(String((await create(body)).body['message'])).toContain(elements[0]?.id)
  expect(await fixture.posts('linkedin')).toHaveLength(1)
})

test('ghost-duplicate names a post that answers 404; nothing is posted', async () => {
  await fixture.fault({ service: 'linkedin', method: 'POST', path: 'rest/posts', kind: 'ghost-duplicate' })
  const body = textPost('Guest week')
  const refused = await create(body)
  expect(codeOf(refused)).toBe('DUPLICATE_POST')
  const namedPost = /urn:li:share:\d+/.exec(String(refused.body['message']))?.[0] ?? ''
  expect((await call(fixture, 'GET', `posts/${encoded(namedPost)}`, token)).status).toBe(404)
  expect(await fixture.posts('linkedin')).toEqual([])
  expect((await create(body)).status).toBe(201)
})

test('processing-fails: accepted, then PUBLISH_FAILED, never public', async () => {
  await fixture.fault({ service: 'linkedin', method: 'POST', path: 'rest/posts', kind: 'processing-fails' })
  const made = await create(textPost('Gone wrong'))
  expect(made.status).toBe(201)
  const read = await call(fixture, 'GET', `posts/${encoded(made.headers.get('x-restli-id') ?? '')}`, token)
  expect(read.body['lifecycleState']).toBe('PUBLISH_FAILED')
  expect(await fixture.posts('linkedin')).toEqual([])
})

test('deletes a post, and deleting again succeeds', async () => {
  const urn = (await create(textPost('Short lived'))).headers.get('x-restli-id') ?? ''
  expect((await call(fixture, 'DELETE', `posts/${encoded(urn)}`, token)).status).toBe(204)
  expect((await call(fixture, 'DELETE', `posts/${encoded(urn)}`, token)).status).toBe(204)
  expect((await call(fixture, 'GET', `posts/${encoded(urn)}`, token)).status).toBe(404)
  expect((await find()).body['elements']).toEqual([])
  expect(await fixture.posts('linkedin')).toEqual([])
})

test.each([
  ['plain words, an emoji 🐟 and a line\nbreak', 'plain words, an emoji 🐟 and a line\nbreak'],
  [
    'escaped \\(brackets\\) \\[here\\] \\{and\\} \\<there\\> 5 \\* 5 a\\_b \\~ \\| \\\\ \\@me \\#1',
    'escaped (brackets) [here] {and} <there> 5 * 5 a_b ~ | \\ @me #1',
  ],
  ['see #flash and {hashtag|\\#|tattoo} now', 'see #flash and #tattoo now'],
  ['by @[Tidewater Ink](urn:li:organization:40718201), thanks', 'by Tidewater Ink, thanks'],
  ['open (from nine) on', 'open '],
  ['an [aside] here', 'an '],
  ['mail me @home', 'mail me '],
  ['a_b', 'a'],
  ['a \\n b', 'a '],
  ['# alone', ''],
])('little text %j renders as %j', (written, shown) => {
  expect(shownText(written)).toBe(shown)
})

test('an unescaped bracket truncates the post without an error', async () => {
  expect((await create(textPost('Flash day (Saturday) at noon'))).status).toBe(201)
  expect((await fixture.posts('linkedin'))[0]?.text).toBe('Flash day ')
})
