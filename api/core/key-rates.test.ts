import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArtist } from '../testing/actors.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createProgram } from '../testing/keys.ts'
import { newId } from './ids.ts'
import { createKeyRates } from './key-rates.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ role: 'web', env: { RATE_LIMITS: 'on' }, startAt: '2026-12-01T10:00:00Z' })
})
afterAll(async () => await app.stop())

/** Keeps the clock at the same instant, so that the minute does not pass on a slow machine. */
async function atOnce<T>(ask: () => Promise<T>): Promise<T> {
  app.clock.set('2026-12-01T10:00:00Z')
  return await ask()
}

test('accepts 600 requests of a key a minute, and answers the next one with Retry-After', async () => {
  const program = await createProgram(app, await createArtist(app), [])
  const first = await atOnce(async () => await program.get('/api/me'))
  expect(first.headers.get('ratelimit-policy')).toBe('"key";q=600;w=60, "create";q=60;w=60')
  expect(first.headers.get('ratelimit')).toMatch(/^"key";r=599;t=\d+$/)
  for (let asked = 1; asked < 600; asked += 50) {
    const answers = await atOnce(
      async () =>
        await Promise.all(Array.from({ length: Math.min(50, 600 - asked) }, async () => await program.get('/api/me'))),
    )
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  }
  const refused = await atOnce(async () => await program.get('/api/me', { accept: 'application/problem+json' }))
  expect(refused).toMatchObject({
    status: 429,
    body: {
      code: 'tooMany',
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      'violated-policies': ['key'],
    },
  })
  const after = Number(refused.headers.get('retry-after'))
  expect(refused.headers.get('ratelimit')).toBe(`"key";r=0;t=${after}`)
  app.clock.advance(after * 1000)
  expect((await program.get('/api/me')).status).toBe(200)
})

test('accepts 60 creating requests of a key a minute, and further reading ones', async () => {
  const program = await createProgram(app, await createArtist(app), ['posts:write', 'media:read'])
  const statuses: number[] = []
  for (let asked = 0; asked < 61; asked += 1)
    statuses.push(await atOnce(async () => (await program.post('/api/posts', {})).status))
  expect(statuses).toEqual([...Array.from({ length: 60 }, () => 400), 429])
  expect((await program.get('/api/media')).status).toBe(200)
})

test('counts each key separately', async () => {
  const artist = await createArtist(app)
  const [one, two] = [await createProgram(app, artist, []), await createProgram(app, artist, [])]
  await one.get('/api/me')
  expect((await two.get('/api/me')).headers.get('ratelimit')).toMatch(/^"key";r=599;/)
})

test('processes share a count and the end of its minute', async () => {
  const start = new Date('2026-12-01T11:00:00Z').getTime()
  let at = new Date(start)
  const createProcess = () => createKeyRates(app.client.db, { enforcesRateLimits: true }, () => at)
  const [one, other] = [createProcess(), createProcess()]
  const keyId = newId()
  expect(await one.count(keyId, 'create')).toMatchObject({ isWithin: true, remaining: 59, resetSeconds: 60 })
  at = new Date(start + 50_000)
  expect(await other.count(keyId, 'create')).toMatchObject({ isWithin: true, remaining: 58, resetSeconds: 10 })
  for (let n = 0; n < 58; n += 1) expect((await one.count(keyId, 'create')).isWithin).toBe(true)
  for (const process of [one, other])
    expect(await process.count(keyId, 'create')).toMatchObject({ isWithin: false, remaining: 0, resetSeconds: 10 })
  at = new Date(start + 60_000)
  expect((await other.count(keyId, 'create')).isWithin).toBe(true)
})
