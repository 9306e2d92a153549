import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { control } from '../../testing/sandbox.ts'

let app: TestApp
let artist: Artist
beforeAll(async () => {
  app = await startTestApp({ role: 'web', env: { ROLE: 'all' } })
  artist = await createArtist(app)
})
afterAll(async () => await app.stop())
afterEach(async () => await control(app, 'DELETE', '/faults'))

const session = '00000000-0000-4000-8000-000000000001'

test.each([
  { input: 'ab', session },
  { input: '214 needle', session: 'x' },
])('too short an input is refused: %o', async (input) => {
  await expect(artist.trpc.website.suggestPlaces.query(input)).rejects.toMatchObject({ data: { httpStatus: 400 } })
})

test('an input finds addresses in the US, and a chosen one fills the fields', async () => {
  const since = new Date().toISOString()
  const suggestions = await artist.trpc.website.suggestPlaces.query({ input: '930 swallow', session })
  expect(suggestions.map((one) => one.text)).toEqual(['930 Swallow Lane #2B, Seattle, WA, USA'])
  expect(await artist.trpc.website.findPlace.query({ placeId: suggestions[0]!.placeId, session })).toEqual({
    shopAddress: '930 Swallow Lane #2B',
    city: 'Seattle',
    state: 'WA',
    zip: '98122',
  })
  const [details, search] = await control<{ path: string; body: string }[]>(
    app,
    'GET',
    `/requests?service=places&since=${since}`,
  ).then((all) => all.toReversed())
  expect(JSON.stringify(search)).toContain('includedRegionCodes')
  expect(JSON.stringify(details)).toContain(session)
})

test.each([
  ['is down', { kind: 'status', status: 503 }],
  ['reports an exceeded quota', { kind: 'status', status: 429 }],
  ['drops the connection', { kind: 'drop' }],
  ['sends no JSON', { kind: 'status', status: 200, body: '<html>' }],
])('when Places %s, nothing is suggested and nothing fails', async (_what, fault) => {
  await control(app, 'POST', '/faults', { service: 'places', method: '.', path: '.', times: 5, ...fault })
  expect(await artist.trpc.website.suggestPlaces.query({ input: '214 needle', session })).toEqual([])
  expect(await artist.trpc.website.findPlace.query({ placeId: 'ChIJSandbox001AddressXXXXXX', session })).toBeNull()
})

test('a place Google no longer knows fills nothing', async () => {
  expect(await artist.trpc.website.findPlace.query({ placeId: 'ChIJGone', session })).toBeNull()
})
