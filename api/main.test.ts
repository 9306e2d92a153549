import { picture } from '@flashsheet/sandbox/fixtures/videos'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { start } from './main.ts'
import { createArtist, createVisitor } from './testing/actors.ts'
import { startTestApp, type TestApp } from './testing/app.ts'
import { openEvents } from './testing/events.ts'
import { freePorts } from './testing/ports.ts'
import { beginForm } from './testing/uploads.ts'

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

test('an idle connection stays open longer than proxies reuse theirs', async () => {
  const answer = await fetch(`${app.url}/healthz`)
  expect(answer.headers.get('keep-alive')).toBe('timeout=130')
})

test('a stop closes event streams at once, finishes an upload, and reuses no connection', async () => {
  const [port] = await freePorts(1)
  const url = `http://localhost:${port}`
  const running = await start({ ...app.env, PORT: String(port), PUBLIC_URL: url, ROLE: 'web' })
  onTestFinished(running.stop)
  const artist = await createArtist(app)
  const browser = createVisitor(url)
  for (const [name, value] of artist.cookies) browser.cookies.set(name, value)
  const events = await openEvents(browser, 'notices.watch')
  await events.next()
  const form = beginForm(browser, url, { expect: '100-continue' })
  // The server has received the headers.
  await once(form, 'continue')

  const stopped = running.stop()
  await events.ended.catch(() => {})
  form.end(Buffer.concat([await picture(300, 200), Buffer.from('\r\n--b--\r\n')]))
  const [response] = (await once(form, 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(201)
  expect(response.headers.connection).toBe('close')
  response.resume()
  await stopped
})
