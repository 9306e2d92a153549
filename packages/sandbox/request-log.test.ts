import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openRequestLog, withoutSecrets, type LoggedRequest } from './request-log.ts'

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

test('keeps the newest requests in a file of bounded size', () => {
  const log = openRequestLog(folder)
  for (let number = 0; number < 25_001; number++) log.add(entry(number))
  expect([log.list().length, log.list().at(-1)?.path]).toEqual([20_000, '/25000'])
  log.add(entry(25_001))
  const again = openRequestLog(folder)
  expect([again.list().length, again.list()[0]?.path, again.list().at(-1)?.path]).toEqual([20_000, '/5002', '/25001'])
  again.clear()
  expect(fs.statSync(path.join(folder, 'requests.jsonl')).size).toBe(0)
  again.close()
  log.close()
})
