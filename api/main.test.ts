import { afterAll, beforeAll, expect, test } from 'vitest'
import { start } from './main.ts'
import { startTestApp, type TestApp } from './testing/app.ts'
import { freePorts } from './testing/ports.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app?.stop())

test('a second stop waits for the one that is running', async () => {
  const [port] = await freePorts(1)
  const running = await start({ ...app.env, PORT: String(port), PUBLIC_URL: app.url, ROLE: 'web' })
  let isStopped = false
  const first = running.stop().then(() => {
    isStopped = true
  })
  await running.stop()
  expect(isStopped).toBe(true)
  await first
})
