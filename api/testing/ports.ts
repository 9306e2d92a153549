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
