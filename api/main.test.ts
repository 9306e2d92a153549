import { once } from 'node:events'
import { Agent, get, request, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { start } from './main.ts'
import { createArtist, createVisitor } from './testing/actors.ts'
import { startTestApp, type TestApp } from './testing/app.ts'
import { openEvents } from './testing/events.ts'
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

test('an idle connection stays open longer than proxies reuse theirs', async () => {
  const answer = await fetch(`${app.url}/healthz`)
  expect(answer.headers.get('keep-alive')).toBe('timeout=130')
})

test('a stop ends event streams at once, and answers a request whose body is still arriving', async () => {
  const [port] = await freePorts(1)
  const url = `http://localhost:${port}`
  const running = await start({ ...app.env, PORT: String(port), PUBLIC_URL: url, ROLE: 'web' })
  onTestFinished(running.stop)
  const artist = await createArtist(app)
  const browser = createVisitor(url)
  for (const [name, value] of artist.cookies) browser.cookies.set(name, value)
  const events = await openEvents(browser, 'notices.watch')
  await events.next()
  const cookie = [...artist.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, 'content-type': 'application/json', expect: '100-continue' }
  const draft = request(`${url}/api/drafts`, { method: 'POST', headers })
  draft.write('{"title":')
  // The server has received the headers.
  await once(draft, 'continue')

  const stopped = running.stop()
  await events.ended
  draft.end('"Rose"}')
  const [response] = (await once(draft, 'response')) as [IncomingMessage]
  expect([response.statusCode, response.headers.connection]).toEqual([201, 'close'])
  response.resume()
  await stopped
})

test('a stop answers a request that arrives on an idle connection, and closes the connection', async () => {
  const [port] = await freePorts(1)
  const url = `http://localhost:${port}`
  const running = await start({ ...app.env, PORT: String(port), PUBLIC_URL: url, ROLE: 'web' })
  onTestFinished(running.stop)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const ask = async () => {
    const [response] = (await once(get(`${url}/healthz`, { agent }), 'response')) as [IncomingMessage]
    response.resume()
    await once(response, 'end')
    return response
  }
  expect((await ask()).headers.connection).toBe('keep-alive')
  const asked = ask()
  const stopped = running.stop()
  const late = await asked
  expect([late.statusCode, late.headers.connection]).toEqual([200, 'close'])
  await stopped
})
