import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSandboxFixture, type SandboxFixture } from './sandbox-fixture.ts'

let sandbox: SandboxFixture
beforeAll(async () => {
  sandbox = await startSandboxFixture()
})
afterAll(async () => await sandbox.remove())

const send = async (name: string, body: string) =>
  await fetch(`${sandbox.url}/sink/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-signature': 'v1,abc' },
    body,
  })

test('accepts any call and lists it unchanged, separately for each sink', async () => {
  expect((await send('one', '{ "b": 1,  "a": 2 }')).status).toBe(204)
  expect((await send('two', '{}')).status).toBe(204)
  expect((await fetch(`${sandbox.url}/sink/one/deeper`, { method: 'PUT' })).status).toBe(204)
  expect(await sandbox.control('GET', '/sink?name=one')).toMatchObject([
    { body: '{ "b": 1,  "a": 2 }', status: 204, headers: { 'x-signature': 'v1,abc' } },
    { body: '', status: 204 },
  ])
  expect(await sandbox.control('GET', '/sink')).toHaveLength(3)
})

test('a scripted fault answers instead, and the call is listed with that status', async () => {
  await sandbox.fault({ service: 'sink', path: '/sink/failing', kind: 'status', status: 503 })
  await sandbox.fault({ service: 'sink', path: '/sink/failing', kind: 'drop' })
  expect((await send('failing', '{"n":1}')).status).toBe(503)
  await expect(send('failing', '{"n":2}')).rejects.toThrow()
  expect((await send('failing', '{"n":3}')).status).toBe(204)
  expect(await sandbox.control('GET', '/sink?name=failing')).toMatchObject([
    { body: '{"n":1}', status: 503 },
    { body: '{"n":2}', status: 0 },
    { body: '{"n":3}', status: 204 },
  ])
})

test('stores calls across a restart, in order', async () => {
  for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) await send('many', `${n}`)
  const again = await sandbox.restart()
  const calls = (await again.control('GET', '/sink?name=many')) as { body: string }[]
  expect(calls.map(({ body }) => Number(body))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  sandbox = again
})
