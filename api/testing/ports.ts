import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ephemeral ports, so that the system does not give a free port to an outgoing connection. */
const lowest = 20_000
const highest = 32_000
/** Test workers that run at the same time draw from ranges of their own: a port is free until somebody listens there. */
const ranges = 8
const size = (highest - lowest) / ranges
const begin = lowest + (Number(process.env['VITEST_POOL_ID'] ?? ranges - 1) % ranges) * size
/** Free ports of this worker, reused last in, first out. */
const rested: number[] = []

/**
 * Ports for an app, to be returned once nobody listens there. The apps of a test worker reuse them: the browser has
 * cached the scripts of that origin already.
 */
export async function lendPorts(count: number): Promise<{ ports: number[]; giveBack: () => void }> {
  const ports: number[] = []
  while (ports.length < count) {
    const port = rested.pop() ?? randomInt(begin, begin + size)
    if (!ports.includes(port) && (await isFree(port))) ports.push(port)
  }
  return { ports, giveBack: () => void rested.push(...ports.toReversed()) }
}

/** Free ports for processes that may end and listen there again. */
export async function freePorts(count: number): Promise<number[]> {
  return (await lendPorts(count)).ports
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  const free = await new Promise<boolean>((resolve) =>
    probe.once('error', () => resolve(false)).listen(port, () => resolve(true)),
  )
  if (free) await new Promise<void>((resolve) => probe.close(() => resolve()))
  return free
}
