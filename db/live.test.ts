import { once } from 'node:events'
import * as net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { sessionTimeouts } from './connection.ts'
import { listenOn } from './live.ts'

/** A proxy between the listener and Postgres. `holdNext` holds the next connection, and closes it without an answer. */
async function openProxy() {
  const to = new URL(inject('adminUrl'))
  const open = new Set<net.Socket>()
  let accepted = 0
  let heldMs = 0
  const proxy = net.createServer((socket) => {
    accepted += 1
    socket.on('error', () => {})
    if (heldMs > 0) {
      setTimeout(() => socket.end(), heldMs)
      heldMs = 0
      return
    }
    const server = net.connect(Number(to.port), to.hostname)
    server.on('error', () => {})
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      server.destroy()
    })
    socket.pipe(server).pipe(socket)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    proxy.close()
  })
  const url = new URL(to)
  url.port = String((proxy.address() as net.AddressInfo).port)
  return {
    url: url.href,
    open,
    accepted: () => accepted,
    holdNext: (ms: number) => void (heldMs = ms),
    breakAll: () => open.forEach((socket) => socket.destroy()),
  }
}

test('a listener has one connection after an attempt to reconnect that timed out', async () => {
  const { url, open, holdNext, breakAll } = await openProxy()
  let onListening = () => {}
  const listening = await listenOn(url, 'live_test', { onPayload: () => {}, onListening: () => onListening() })
  try {
    const again = Promise.withResolvers<void>()
    onListening = again.resolve
    // Just before the statement times out, so that the driver waits to reconnect then.
    holdNext(sessionTimeouts.statementMs + 430)
    breakAll()
    await again.promise
    // Longer than the driver waits before it reconnects.
    await sleep(500)
    expect(open.size).toBe(1)
  } finally {
    await listening.stop()
  }
})

test('a listener that is stopped while it reconnects leaves no connection', async () => {
  const { url, open, accepted, breakAll } = await openProxy()
  const lost = Promise.withResolvers<void>()
  const listening = await listenOn(url, 'live_test', { onPayload: () => {}, onLost: lost.resolve })
  breakAll()
  await lost.promise
  await listening.stop()
  await expect.poll(accepted).toBe(2)
  await expect.poll(() => open.size).toBe(0)
})

test('a listener that has stopped does not connect again', async () => {
  const { url, open, accepted } = await openProxy()
  for (const connections of [1, 2]) {
    const listening = await listenOn(url, 'live_test', { onPayload: () => {} })
    expect(accepted()).toBe(connections)
    await listening.stop()
    await expect.poll(() => open.size).toBe(0)
  }
})

test('a channel that cannot be listened to leaves no connection', async () => {
  const { url, open, accepted } = await openProxy()
  await expect(listenOn(url, 'no channel', { onPayload: () => {} })).rejects.toThrow('syntax error')
  expect(accepted()).toBe(1)
  await expect.poll(() => open.size).toBe(0)
})

test('a start waits for a database that does not answer at first', async () => {
  const { url, holdNext, accepted } = await openProxy()
  holdNext(10_000)
  const listening = await listenOn(url, 'live_test', { onPayload: () => {} })
  expect(accepted()).toBe(2)
  await listening.stop()
})
