import { randomInt } from 'node:crypto'
import { createServer, type AddressInfo } from 'node:net'

/** Gets free ports from the system; all are held until the last is known, so they differ. */
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

/** Below the ephemeral ports, so that the system does not give a free port to an outgoing connection. */
const lowest = 20_000
const highest = 32_000
/** Free ports of this worker, reused last in, first out. */
const rested: number[] = []

/**
 * Ports for an app, to be returned once nobody listens there. The apps of a test worker reuse them: the browser has
 * cached the scripts of that origin already.
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
