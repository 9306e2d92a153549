import { afterAll, beforeAll, expect, test } from 'vitest'
import { videoFixture, picture } from './fixtures/videos.ts'
import { connect as asFacebook, graph as facebook } from './services/facebook/login-for-tests.ts'
import { type NetworkFixture, startNetworkFixture } from './services/network-fixture.ts'
import { initials } from './feed-files.ts'

let fixture: NetworkFixture
let postId = ''
let blob = ''
const bytes = videoFixture('landscape-5s.mp4')
beforeAll(async () => {
  fixture = await startNetworkFixture()
  const page = (await asFacebook(fixture)).pages[0]!
  const headers = { authorization: `Bearer ${page.access_token}` }
  const url = fixture.host('peony.jpg', await picture(800, 600, 3))
  const photo = await fixture.call('POST', `${facebook}/${page.id}/photos`, {
    headers,
    json: { published: false, url },
  })
  const made = await fixture.call('POST', `${facebook}/${page.id}/feed`, {
    headers,
    json: {
      message: 'Peony <script>alert(1)</script>\n#blackwork by @ines',
      attached_media: [{ media_fbid: photo.body['id'] }],
    },
  })
  postId = String(made.body['id'])
  const video = await fixture.call('POST', `${facebook}/${page.id}/videos`, {
    headers,
    json: { file_url: fixture.host('wide.mp4', bytes), description: 'A film' },
  })
  const seen = await fixture.until(async () =>
    (await fixture.posts('facebook')).find((post) => post.id === video.body['id']),
  )
  blob = seen.media[0]!.sha256
})
afterAll(() => fixture.stop())

const open = (path: string, headers: Record<string, string> = {}) => fetch(`${fixture.sandbox.url}${path}`, { headers })

test('an unknown network, post or file is 404', async () => {
  for (const path of [
    '/wall/myspace',
    '/wall/facebook/1',
    `/wall/instagram/${postId}`,
    `/wall/media/${'0'.repeat(64)}`,
    '/wall/media/..%2Fstate.jsonl',
  ]) {
    expect([path, (await open(path)).status]).toEqual([path, 404])
  }
})

test('shows name, text, media, address and time, and escapes HTML', async () => {
  for (const path of ['/wall', '/wall/facebook', `/wall/facebook/${postId}`]) {
    const text = await (await open(path)).text()
    expect(text).toContain('Black Quill Tattoo')
    expect(text).toContain('Peony &lt;script&gt;')
    expect(text).not.toContain('<script>alert')
    expect(text).toContain('<span class="tag">#blackwork</span>')
    expect(text).toContain(`https://www.facebook.com/`)
    expect(text).toMatch(/<time datetime="\d{4}-/)
    expect(text).toMatch(/<img [^>]*src="\/wall\/media\/[0-9a-f]{64}"/)
  }
  const empty = await (await open('/wall/linkedin')).text()
  expect(empty).toContain('Nothing was published')
  expect(empty).not.toContain('Peony')
})

test('serves whole media and ranges, and refuses a range after the end', async () => {
  const path = `/wall/media/${blob}`
  const whole = await open(path)
  expect([whole.status, whole.headers.get('content-type'), whole.headers.get('accept-ranges')]).toEqual([
    200,
    'video/mp4',
    'bytes',
  ])
  expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)
  const middle = await open(path, { range: 'bytes=100-199' })
  expect([middle.status, middle.headers.get('content-range')]).toEqual([206, `bytes 100-199/${bytes.byteLength}`])
  expect(Buffer.from(await middle.arrayBuffer()).equals(bytes.subarray(100, 200))).toBe(true)
  const tail = await open(path, { range: 'bytes=-10' })
  expect(Buffer.from(await tail.arrayBuffer()).equals(bytes.subarray(-10))).toBe(true)
  const behind = await open(path, { range: `bytes=${bytes.byteLength}-` })
  expect([behind.status, behind.headers.get('content-range')]).toEqual([416, `bytes */${bytes.byteLength}`])
  expect((await open(path, { 'if-none-match': whole.headers.get('etag') ?? '' })).status).toBe(304)
})

test('a name has the initials of its first and last word', () => {
  expect(initials('Black Quill Tattoo')).toBe('BT')
  expect(initials('ines.calder.ink')).toBe('II')
  expect(initials('<b>')).toBe('B')
  expect(initials('***')).toBe('?')
})

test('serves a portrait for any name as a JPEG', async () => {
  const portrait = await open(`/wall/portrait/${encodeURIComponent('Black Quill Tattoo')}`)
  expect(portrait.headers.get('content-type')).toBe('image/jpeg')
  expect(Buffer.from(await portrait.arrayBuffer()).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
})
