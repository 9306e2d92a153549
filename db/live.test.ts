import { once } from 'node:events'
import * as net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { sessionTimeouts } from './connection.ts'
import { listenOn } from './live.ts'

test('a listener has one connection after an attempt to reconnect that timed out', async () => {
  const to = new URL(inject('adminUrl'))
  const open = new Set<net.Socket>()
  let heldMs = 0
  // Between the listener and Postgres: holds a connection if told so, and closes it without an answer.
  const proxy = net.createServer((socket) => {
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
  const url = new URL(to)
  url.port = String((proxy.address() as net.AddressInfo).port)
  let onListening = () => {}
  const listening = await listenOn(url.href, 'live_test', { onPayload: () => {}, onListening: () => onListening() })
  try {
    const again = Promise.withResolvers<void>()
    onListening = again.resolve
    // Just before the statement times out, so that the driver waits to reconnect then.
    heldMs = sessionTimeouts.statementMs + 430
    for (const socket of open) socket.destroy()
    await again.promise
    // Longer than the driver waits before it reconnects.
    await sleep(500)
    expect(open.size).toBe(1)
  } finally {
    await listening.stop()
    for (const socket of open) socket.destroy()
    proxy.close()
  }
})
