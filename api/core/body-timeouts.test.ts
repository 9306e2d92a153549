import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { restTable } from '../rest.ts'
import { eventually } from '../testing/sandbox.ts'
import { bodyTimeouts, fileUploadMatcher, enforceBodyTimeouts } from './body-timeouts.ts'

const servers: Server[] = []
// Only the timers of the limits are fake.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(async () => {
  vi.useRealTimers()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
})

type Handle = (request: IncomingMessage) => Promise<string>
const readAll: Handle = async (request) => String((await text(request)).length)

/** A server that treats requests to /file as files; `arrived` is the number of bytes that it has received. */
async function serve(
  handle: Handle = readAll,
): Promise<{ port: number; arrived: () => number; isClosed: () => boolean }> {
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    enforceBodyTimeouts(request, response, request.url === '/file')
    handle(request).then(
      (body) => response.end(body),
      () => response.destroy(),
    )
  })
  server.on('connection', (socket) => sockets.add(socket))
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    arrived: () => [...sockets].reduce((sum, { bytesRead }) => sum + bytesRead, 0),
    isClosed: () => [...sockets].every(({ destroyed }) => destroyed),
  }
}

/** Begins a request. `send` returns once its bytes have arrived. */
async function startRequest(
  { port, arrived }: Awaited<ReturnType<typeof serve>>,
  path: string,
  bytes: number,
  header = 'Accept: */*',
  allowHalfOpen = false,
) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen })
  let [answer, sent] = ['', 0]
  socket.on('error', () => {})
  socket.setEncoding('utf8').on('data', (piece: string) => {
    answer += piece
  })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const send = async (piece: string) => {
    sent += piece.length
    socket.write(piece)
    await eventually('all has arrived', async () => await Promise.resolve(arrived() === sent))
  }
  await send(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n${header}\r\n\r\n`)
  return {
    send,
    answer: async () => {
      await closed
      return answer
    },
    answered: async () => await eventually('an answer', async () => await Promise.resolve(answer !== '' && answer)),
  }
}

test('answers 408 when a body that is not a file is incomplete after 30 s, however steadily it arrives', async () => {
  const request = await startRequest(await serve(), '/json', 1000)
  for (let second = 0; second < 30; second++) {
    await request.send('x')
    vi.advanceTimersByTime(1000)
  }
  const answer = await request.answer()
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({
    message: 'The request did not arrive in time. Please try again.',
    code: 'tooSlow',
  })
})

test('answers a late body with problem details if they are asked for', async () => {
  const request = await startRequest(await serve(), '/json', 1000, 'Accept: application/problem+json')
  vi.advanceTimersByTime(bodyTimeouts.completeMs)
  const answer = await request.answer()
  expect(answer).toMatch(/^HTTP\/1\.1 408 [^]*\r\nContent-Type: application\/problem\+json\r\n/)
  const message = 'The request did not arrive in time. Please try again.'
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({
    type: 'about:blank',
    title: 'Request Timeout',
    status: 408,
    detail: message,
    message,
    code: 'tooSlow',
  })
})

test('closes the connection of a late body also if its client does not', async () => {
  const server = await serve()
  const request = await startRequest(server, '/json', 1000, 'Accept: */*', true)
  vi.advanceTimersByTime(bodyTimeouts.completeMs)
  expect(await request.answered()).toMatch(/^HTTP\/1\.1 408 /)
  await eventually('the server to close it', async () => await Promise.resolve(server.isClosed()))
})

test('accepts a file for as long as it keeps the minimum pace, and answers 408 when it falls behind', async () => {
  const request = await startRequest(await serve(), '/file', 10_000_000)
  for (let minute = 0; minute < 10; minute++) {
    await request.send('x'.repeat(bodyTimeouts.minBytes))
    vi.advanceTimersByTime(bodyTimeouts.periodMs)
  }
  await request.send('x'.repeat(bodyTimeouts.minBytes - 1))
  vi.advanceTimersByTime(bodyTimeouts.periodMs)
  expect(await request.answer()).toMatch(/^HTTP\/1\.1 408 /)
})

test('does not close the connection of a file that has arrived', async () => {
  const server = await serve()
  const request = await startRequest(server, '/file', 10)
  await request.send('0123456789')
  expect(await request.answered()).toMatch(/^HTTP\/1\.1 200 [^]*10$/)
  vi.advanceTimersByTime(10 * bodyTimeouts.periodMs)
  await request.send('POST /file HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n')
  await request.send('x')
})

test('removes its listeners from a connection that is used for many bodies', async () => {
  const listeners: number[] = []
  const server = await serve(async (incoming) => {
    listeners.push(incoming.socket.listenerCount('close'))
    return await readAll(incoming)
  })
  const post = 'POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n'
  const request = await startRequest(server, '/json', 1)
  await request.send('x')
  for (let more = 0; more < 4; more++) {
    await eventually('the request before is answered', async () => await Promise.resolve(listeners.length === more + 1))
    await request.send(post)
    await request.send('x')
  }
  await eventually('all are answered', async () => await Promise.resolve(listeners.length === 5))
  expect(new Set(listeners).size).toBe(1)
})

test('does not refuse a body that this process has not read yet', async () => {
  const gate = Promise.withResolvers<void>()
  const request = await startRequest(
    await serve(async (incoming) => {
      await gate.promise
      return await readAll(incoming)
    }),
    '/json',
    2000,
  )
  await request.send('x'.repeat(1000))
  vi.advanceTimersByTime(10 * bodyTimeouts.completeMs)
  gate.resolve()
  await request.send('x'.repeat(1000))
  expect(await request.answered()).toMatch(/^HTTP\/1\.1 200 [^]*2000$/)
})

test('closes the connection of a body that continues after its response', async () => {
  const request = await startRequest(await serve(async () => await Promise.resolve('no')), '/json', 1000)
  await request.answered()
  await request.send('x')
  vi.advanceTimersByTime(bodyTimeouts.completeMs)
  expect(await request.answer()).toMatch(/^HTTP\/1\.1 200 [^]*no$/)
})

test('counts only requests to upload paths as files', () => {
  const takesFiles = fileUploadMatcher(restTable)
  for (const [method, path] of [
    ['POST', '/api/uploads'],
    ['PATCH', '/api/uploads/one'],
    ['POST', '/api/uploads/one/poster'],
    ['POST', '/api/media/upload'],
    ['POST', '/api/websitebuilder/upload'],
    ['POST', '/api/websitebuilder/image'],
  ] as const) {
    expect(takesFiles(method, path), path).toBe(true)
  }
  for (const [method, path] of [
    ['DELETE', '/api/uploads/one'],
    ['POST', '/api/uploads/one/two/three'],
    ['POST', '/api/media'],
    ['POST', '/trpc/media.list'],
    ['POST', '/api/users/login'],
  ] as const) {
    expect(takesFiles(method, path), path).toBe(false)
  }
})
