import { randomInt } from 'node:crypto'
import { createServer, type AddressInfo } from 'node:net'

/** Asks the system for ports nobody listens on; all are held until the last is known, so they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const probes = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer()
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
      return server
    }),
  )
  const ports = probes.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(probes.map(async (server) => await new Promise<void>((resolve) => server.close(() => resolve()))))
  return ports
}

/** Below the ports that systems give to connections that go out, so that a port which is free for a moment is not given away. */
const lowest = 20_000
const highest = 32_000
/** Ports of this worker that no app uses now; the one given back last is lent next. */
const rested: number[] = []

/**
 * Ports for an app, to be given back once nobody listens there. The apps of a test worker take them over from each other: a window
 * that another file has left knows the scripts of the origin already.
 */
export async function lendPorts(count: number): Promise<{ ports: number[]; giveBack: () => void }> {
  const ports: number[] = []
  while (ports.length < count) {
    const port = rested.pop() ?? randomInt(lowest, highest)
    if (!ports.includes(port) && (await isFree(port))) ports.push(port)
  }
  return { ports, giveBack: () => void rested.push(...ports.toReversed()) }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  const free = await new Promise<boolean>((resolve) =>
    probe.once('error', () => resolve(false)).listen(port, () => resolve(true)),
  )
  if (free) await new Promise<void>((resolve) => probe.close(() => resolve()))
  return free
}
