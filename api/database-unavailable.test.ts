import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOwnPostgres, type OwnPostgres } from './testing/own-postgres.ts'
import { freePorts } from './testing/ports.ts'
import { startProcess, type ProductProcess } from './testing/processes.ts'
import { eventually } from './testing/sandbox.ts'

let postgres: OwnPostgres
let web: ProductProcess
let url: string
const dataDir = mkdtempSync(path.join(tmpdir(), 'flashsheet-away-'))

beforeAll(async () => {
  postgres = await startOwnPostgres()
  const [port, sandboxPort] = await freePorts(2)
  url = `http://localhost:${port}`
  web = await startProcess({ ROLE: 'web', DATABASE_URL: postgres.url, DATA_DIR: dataDir, PORT: String(port), SANDBOX_PORT: String(sandboxPort), RATE_LIMITS: 'off', LOG_LEVEL: 'fatal' })
}, 120_000)
afterAll(async () => {
  await web?.end('SIGKILL')
  await postgres?.remove()
  rmSync(dataDir, { recursive: true, force: true })
}, 60_000)

const json = { 'content-type': 'application/json' }
const doors: [string, string, RequestInit, number][] = [
  ['REST', '/api/appointments/booked?domainName=nobody-here&date=2027-01-01', {}, 404],
  ['tRPC', `/trpc/auth.login`, { method: 'POST', headers: json, body: JSON.stringify({ email: 'nobody@studio.example', password: 'a good long password' }) }, 401],
  // A name of its own each time: what is in memory needs no database.
  ['a public page', '/s/nobody-', {}, 404],
]
const ask = async (to: string, init: RequestInit) => await fetch(new URL(to, url), { ...init, signal: AbortSignal.timeout(30_000) })

/** Asks at each door until it answers so. */
async function everyDoorAnswers(statusOf: (expected: number) => number): Promise<Response[]> {
  return await Promise.all(
    doors.map(async ([name, to, init, expected]) =>
      await eventually(`${name} to answer ${statusOf(expected)}`, async () => {
        const answer = await ask(to.endsWith('-') ? `${to}${randomUUID().slice(0, 8)}` : to, init)
        if (answer.status >= 500 && answer.status !== 503) throw new Error(`${name} answered ${answer.status}: ${await answer.text()}`)
        return answer.status === statusOf(expected) && answer
      }, 60_000)),
  )
}

test.each(['immediate', 'frozen'] as const)('while Postgres is away (%s) every door answers 503 in words and says when to come back, and afterwards as before', { timeout: 120_000 }, async (way) => {
  await everyDoorAnswers((expected) => expected)
  await (way === 'frozen' ? postgres.freeze() : postgres.stop(way))
  const answers = await everyDoorAnswers(() => 503)
  for (const answer of answers) {
    expect(answer.headers.get('retry-after'), answer.url).toMatch(/^\d+$/)
    expect(await answer.text(), answer.url).toMatch(answer.url.includes('/s/') ? /<h1>Back in a moment<\/h1>/ : /"message":"Flashsheet is away for a moment/)
  }
  expect((await ask('/healthz', {})).status).toBe(200)
  expect((await ask('/readyz', {})).status).toBe(503)
  await (way === 'frozen' ? postgres.thaw() : postgres.start())
  await everyDoorAnswers((expected) => expected)
  expect((await ask('/readyz', {})).status).toBe(200)
  expect([web.child.exitCode, web.child.signalCode]).toEqual([null, null])
})
