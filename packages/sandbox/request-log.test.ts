import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openBlobs } from './blobs.ts'
import { makeContext } from './context.ts'
import { loggedRequests, logRequest, withoutSecrets, type LoggedRequest } from './request-log.ts'
import { openStore } from './store.ts'

let folder = ''
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sandbox-log-'))
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const entry = (number: number): LoggedRequest => ({
  service: 'stripe',
  method: 'GET',
  path: `/${number}`,
  query: {},
  headers: {},
  body: null,
  status: 200,
  at: '',
})

test('redacts secrets wherever they are nested, and nothing else', () => {
  const given = { a: [{ access_token: 'x', deep: { Client_Secret: 'y', code: 'z' } }], name: 'code', codes: 'kept' }
  expect(withoutSecrets(given)).toEqual({
    a: [{ access_token: '[cut]', deep: { Client_Secret: '[cut]', code: '[cut]' } }],
    name: 'code',
    codes: 'kept',
  })
  expect((withoutSecrets('x'.repeat(10_000)) as string).length).toBeLessThan(9_000)
})

test('keeps the newest 20,000 requests, also after a restart, until a reset', () => {
  const store = openStore(folder)
  const sandbox = makeContext(store, openBlobs(folder), '', 10)
  for (let number = 0; number < 25_001; number++) logRequest(sandbox, entry(number))
  store.close()
  const again = openStore(folder)
  const log = () => loggedRequests(makeContext(again, openBlobs(folder), '', 10))
  expect([log().length, log()[0]?.path, log().at(-1)?.path]).toEqual([20_000, '/5001', '/25000'])
  again.reset()
  expect(log()).toEqual([])
  again.close()
})
