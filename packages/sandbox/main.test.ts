import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startSandbox } from './main.ts'
import { startSandboxFixture, type SandboxFixture } from './sandbox-fixture.ts'

let first: SandboxFixture | undefined
afterEach(async () => {
  await first?.remove()
  first = undefined
})

test('startup fails on a taken web or mail port and leaves nothing running', async () => {
  first = await startSandboxFixture()
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'sandbox-main-'))
  await expect(startSandbox({ port: first.port, dataDir, processingMs: 10 })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  })
  await expect(startSandbox({ port: 0, smtpPort: first.smtpPort, dataDir, processingMs: 10 })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  })
  const third = await startSandbox({ port: 0, dataDir, processingMs: 10 })
  await third.stop()
  fs.rmSync(dataDir, { recursive: true, force: true })
})

test('uses the public address if there is one, without a trailing slash', async () => {
  first = await startSandboxFixture({ publicUrl: 'http://sandbox.localhost:3001/' })
  expect(first.url).toBe('http://sandbox.localhost:3001')
  const found = await fetch(`http://127.0.0.1:${first.port}/accounts.google.com/.well-known/openid-configuration`)
  expect(await found.json()).toMatchObject({
    token_endpoint: 'http://sandbox.localhost:3001/oauth2.googleapis.com/token',
  })
})

test("an address of no service answers 404, and the sandbox's own pages are not in the log", async () => {
  first = await startSandboxFixture()
  expect((await fetch(`${first.url}/graph.unknown.com/me`)).status).toBe(404)
  expect((await fetch(`${first.url}/`)).status).toBe(200)
  expect((await fetch(`${first.url}/wall`)).status).toBe(200)
  expect(await first.control('GET', '/requests')).toEqual([])
})
