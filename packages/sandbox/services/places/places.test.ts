import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSandboxFixture, type SandboxFixture } from '../../sandbox-fixture.ts'

let sandbox: SandboxFixture
beforeAll(async () => {
  sandbox = await startSandboxFixture()
})
afterAll(() => sandbox.remove())

type Answer = {
  status: number
  body: { error?: { code: number; status: string }; suggestions?: Suggestion[] } & Record<string, unknown>
}
type Suggestion = {
  placePrediction: {
    placeId: string
    text?: { text: string; matches: unknown[] }
    structuredFormat?: unknown
    types?: string[]
  }
}

async function call(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Answer> {
  const given = { 'x-goog-api-key': 'made-up', 'content-type': 'application/json', ...headers }
  const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
  const answer = await fetch(`${sandbox.url}/places.googleapis.com/v1/${path}`, {
    method,
    headers: sent,
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Answer['body'] }
}
const complete = (body: unknown, headers: Record<string, string> = {}) =>
  call('POST', 'places:autocomplete', headers, body)
const details = (id: string, headers: Record<string, string> = {}) =>
  call('GET', `places/${id}`, { 'x-goog-fieldmask': 'id,formattedAddress,addressComponents,location', ...headers })

test('rejects a missing key, missing input, bad lists, bad tokens and bad masks in Google’s shape', async () => {
  expect(await complete({ input: '214' }, { 'x-goog-api-key': '' })).toMatchObject({
    status: 403,
    body: { error: { code: 403, status: 'PERMISSION_DENIED' } },
  })
  for (const body of [
    {},
    { input: ' ' },
    'not json',
    'null',
    { input: 'x', unknown: 1 },
    { input: 'x', includedPrimaryTypes: ['a', 'b', 'c', 'd', 'e', 'f'] },
    { input: 'x', sessionToken: 'has spaces' },
    { input: 'x', sessionToken: 'x'.repeat(37) },
    { input: 'x', locationBias: {}, locationRestriction: {} },
  ]) {
    expect(await complete(body)).toMatchObject({ status: 400, body: { error: { status: 'INVALID_ARGUMENT' } } })
  }
  expect(await complete({ input: 'x' }, { 'x-goog-fieldmask': 'nothing' })).toMatchObject({ status: 400 })
  const [{ id }] = ((await sandbox.control('GET', '/defaults')) as { places: { places: { id: string }[] } }).places
    .places as [{ id: string }]
  expect(await details(id, { 'x-goog-fieldmask': '' })).toMatchObject({
    status: 400,
    body: { error: { status: 'INVALID_ARGUMENT' } },
  })
  expect(await details(id, { 'x-goog-fieldmask': 'id,nonsense' })).toMatchObject({ status: 400 })
  expect(await details('ChIJGone')).toMatchObject({ status: 404, body: { error: { status: 'NOT_FOUND' } } })
})

test('finds addresses by the beginnings of their words', async () => {
  const both = await complete({ input: 'needle str', includedRegionCodes: ['us'], sessionToken: crypto.randomUUID() })
  expect(both.body.suggestions?.map((one) => one.placePrediction.text?.text)).toEqual([
    '214 Needle Street, Brooklyn, NY, USA',
    '302 Needle Street, Nashville, TN, USA',
  ])
  const one = await complete({ input: '214 needle', includedRegionCodes: ['us'] })
  expect(one.body.suggestions).toHaveLength(1)
  expect(one.body.suggestions?.[0]?.placePrediction.text?.matches).toEqual([
    { endOffset: 3 },
    { startOffset: 4, endOffset: 10 },
  ])
  expect((await complete({ input: 'zzz' })).body).toEqual({})
  expect((await complete({ input: 'needle', includedRegionCodes: ['de'] })).body).toEqual({})
  expect((await complete({ input: 'swallow', includedPrimaryTypes: ['subpremise'] })).body.suggestions).toHaveLength(1)
})

test('a field mask selects what is sent', async () => {
  const mask = 'suggestions.placePrediction.placeId,suggestions.placePrediction.text.text'
  const found = await complete({ input: '1520' }, { 'x-goog-fieldmask': mask })
  expect(found.body.suggestions).toEqual([
    { placePrediction: { placeId: expect.any(String), text: { text: '1520 Stencil Road, Austin, TX, USA' } } },
  ])
  const whole = await details(found.body.suggestions![0]!.placePrediction.placeId)
  expect(Object.keys(whole.body).toSorted()).toEqual(['addressComponents', 'formattedAddress', 'id', 'location'])
  const parts = whole.body['addressComponents'] as { longText: string; shortText: string; types: string[] }[]
  const part = (type: string) => parts.find((one) => one.types.includes(type))
  expect([part('street_number')?.longText, part('route')?.longText, part('locality')?.longText]).toEqual([
    '1520',
    'Stencil Road',
    'Austin',
  ])
  expect([
    part('administrative_area_level_1')?.shortText,
    part('postal_code')?.longText,
    part('postal_code_suffix')?.longText,
  ]).toEqual(['TX', '78702', '4410'])
})

test('faults: quota, server error, dropped connection', async () => {
  const body = { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Quota exceeded' } }
  await sandbox.fault({ service: 'places', path: 'autocomplete', kind: 'status', status: 429, body })
  expect(await complete({ input: 'needle' })).toEqual({ status: 429, body })
  await sandbox.fault({ service: 'places', kind: 'drop' })
  await expect(complete({ input: 'needle' })).rejects.toThrow('fetch failed')
  expect((await complete({ input: 'needle' })).status).toBe(200)
  const requests = (await sandbox.control('GET', '/requests?service=places')) as { headers: Record<string, string> }[]
  expect(requests.at(-1)!.headers['x-goog-api-key']).toBe('[cut]')
})
