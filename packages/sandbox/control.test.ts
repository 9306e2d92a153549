import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSandboxFixture, type SandboxFixture } from './sandbox-fixture.ts'

let sandbox: SandboxFixture
beforeAll(async () => {
  sandbox = await startSandboxFixture()
})
afterAll(() => sandbox.remove())

async function raw(
  method: string,
  path: string,
  body?: string,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(`${sandbox.url}/_control${path}`, { method, ...(body !== undefined && { body }) })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

test('rejects bad bodies with 400 and a message, unknown calls with 404', async () => {
  const bad: [string, string, string?][] = [
    ['POST', '/faults', 'not json'],
    ['POST', '/faults', '[]'],
    ['POST', '/faults', '{}'],
    ['POST', '/faults', '{"service":"myspace","kind":"drop"}'],
    ['POST', '/faults', '{"service":"stripe","kind":"explode"}'],
    ['POST', '/faults', '{"service":"stripe","kind":"drop","path":"("}'],
    ['POST', '/faults', '{"service":"stripe","kind":"drop","times":0}'],
    ['POST', '/faults', '{"service":"stripe","kind":"drop","skip":-1}'],
    ['POST', '/faults', '{"service":"stripe","kind":"drop","times":"2"}'],
    ['POST', '/faults', '{"service":"stripe","kind":"status","status":99}'],
    ['POST', '/faults', '{"service":"stripe","kind":"status","headers":{"a b":"c"}}'],
    ['POST', '/faults', '{"service":"stripe","kind":"slow","delayMs":1e9}'],
    ['POST', '/pages', '{"platform":"stripe","count":1}'],
    ['POST', '/pages', '{"platform":"facebook"}'],
    ['POST', '/pages', '{"platform":"facebook","count":0}'],
    ['POST', '/limits', '{"quotas":"yes"}'],
    ['POST', '/limits', '{"processingMs":-5}'],
    ['POST', '/stripe/resend', '{"events":"evt_1"}'],
    ['POST', '/stripe/resend', '{"events":["evt_1"]}'],
    ['POST', '/stripe/advance', '{"subscription":"sub_1","to":"later"}'],
    ['POST', '/stripe/advance', '{"to":"end"}'],
    ['GET', '/requests?service=myspace'],
    ['GET', '/requests?since=yesterday'],
  ]
  for (const [method, path, body] of bad) {
    const answer = await raw(method, path, body)
    expect([method, path, body, answer.status, typeof answer.body['message']]).toEqual([
      method,
      path,
      body,
      400,
      'string',
    ])
  }
  expect((await raw('GET', '/nothing')).status).toBe(404)
  expect((await raw('PUT', '/faults')).status).toBe(404)
})

test('lists faults with how often they fired, and clears them', async () => {
  const { body } = await raw('POST', '/faults', '{"service":"places","kind":"status","status":503,"times":2}')
  expect(Object.keys(body)).toEqual(['id'])
  expect((await fetch(`${sandbox.url}/places.googleapis.com/v1/places/x`)).status).toBe(503)
  expect(await sandbox.control('GET', '/faults')).toEqual([{ id: body['id'], fired: 1 }])
  sandbox = await sandbox.restart()
  expect(await sandbox.control('GET', '/faults')).toEqual([{ id: body['id'], fired: 1 }])
  await sandbox.control('DELETE', '/faults')
  expect(await sandbox.control('GET', '/faults')).toEqual([])
  expect((await fetch(`${sandbox.url}/places.googleapis.com/v1/places/x`)).status).toBe(403)
})

test('lists every service’s identities as defaults, and makes more pages', async () => {
  const defaults = (await sandbox.control('GET', '/defaults')) as Record<string, unknown>
  expect(Object.keys(defaults).toSorted()).toEqual([
    'facebook',
    'google',
    'instagram',
    'linkedin',
    'places',
    'stripe',
    'tiktok',
    'youtube',
  ])
  for (const platform of ['facebook', 'instagram', 'tiktok', 'youtube', 'linkedin']) {
    const made = (await sandbox.control('POST', '/pages', { platform, count: 3 })) as { id: string; name: string }[]
    expect([platform, made.length, new Set(made.map((one) => one.id)).size]).toEqual([platform, 3, 3])
  }
  await sandbox.control('POST', '/reset')
  expect(await sandbox.control('GET', '/defaults')).toEqual(defaults)
})

test('limits change one at a time, survive a restart, and are undone by a reset', async () => {
  expect(await sandbox.control('POST', '/limits', { quotas: false })).toEqual({ quotas: false, processingMs: 10 })
  expect(await sandbox.control('POST', '/limits', { processingMs: 0 })).toEqual({ quotas: false, processingMs: 0 })
  sandbox = await sandbox.restart()
  expect(await sandbox.control('POST', '/limits')).toEqual({ quotas: false, processingMs: 0 })
  await sandbox.control('POST', '/reset')
  expect(await sandbox.control('POST', '/limits', {})).toEqual({ quotas: true, processingMs: 10 })
})

test('lists requests by service and time in the documented shape', async () => {
  await sandbox.control('POST', '/reset')
  await fetch(`${sandbox.url}/places.googleapis.com/v1/places/a?sessionToken=t&key=secret`)
  const between = new Date().toISOString()
  await fetch(`${sandbox.url}/v1/customers`, { method: 'POST', body: new URLSearchParams({ email: 'x@y.example' }) })
  const all = (await sandbox.control('GET', '/requests')) as Record<string, unknown>[]
  expect(all.map((one) => [one['service'], one['method'], one['path'], one['status']])).toEqual([
    ['places', 'GET', '/v1/places/a', 400],
    ['stripe', 'POST', '/v1/customers', 401],
  ])
  expect(Object.keys(all[0]!)).toEqual(['service', 'method', 'path', 'query', 'headers', 'body', 'status', 'at'])
  expect(all[0]!['query']).toEqual({ sessionToken: 't', key: '[cut]' })
  expect(all[1]!['body']).toEqual({ email: 'x@y.example' })
  expect(((await sandbox.control('GET', '/requests?service=stripe')) as unknown[]).length).toBe(1)
  expect(((await sandbox.control('GET', `/requests?since=${between}&service=stripe`)) as unknown[]).length).toBe(1)
  expect(((await sandbox.control('GET', `/requests?since=${Date.now() + 3_600_000}`)) as unknown[]).length).toBe(0)
  expect(await sandbox.control('GET', '/posts')).toEqual([])
})
