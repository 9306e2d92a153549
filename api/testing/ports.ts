import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ephemeral ports, which the system assigns to outgoing connections. */
const lowest = 20_000
const highest = 32_000
/** Each concurrent test worker has its own range, since another worker could pick a free port before it is listened on. */
const ranges = 8
const size = (highest - lowest) / ranges
const begin = lowest + (Number(process.env['VITEST_POOL_ID'] ?? ranges - 1) % ranges) * size
/** Returned ports of this worker, reused last in, first out. */
const returned: number[] = []
/** Ports in use by this worker, perhaps not listened on yet. */
const reserved = new Set<number>()

/**
 * Ports for an app, to be returned once it has stopped. The next app of the test worker reuses them, since the browser has
 * already cached the scripts of that origin.
 */
export async function reservePorts(count: number): Promise<{ ports: number[]; releasePorts: () => void }> {
  const ports: number[] = []
  while (ports.length < count) {
    const port = returned.pop() ?? randomInt(begin, begin + size)
    if (reserved.has(port)) continue
    reserved.add(port)
    if (await isFree(port)) ports.push(port)
    else reserved.delete(port)
  }
  const releasePorts = () => {
    for (const port of ports) reserved.delete(port)
    returned.push(...ports.toReversed())
  }
  return { ports, releasePorts }
}

/** Free ports that no later app reuses, for processes that may restart on them. */
export async function freePorts(count: number): Promise<number[]> {
  return (await reservePorts(count)).ports
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  const free = await new Promise<boolean>((resolve) =>
    probe.once('error', () => resolve(false)).listen(port, () => resolve(true)),
  )
  if (free) await new Promise<void>((resolve) => probe.close(() => resolve()))
  return free
}
