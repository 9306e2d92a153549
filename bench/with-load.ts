import { connect, type Socket } from 'node:net'

export type Load = { perSecond: number; p50: number; p99: number }

/**
 * Requests these pages in turn over keep-alive connections, for some seconds or requests. Finds only the end of each
 * response, so that on two cores the server is the bottleneck.
 */
export async function load(
  port: number,
  pages: { host: string; path: string }[],
  options: { seconds?: number; requests?: number; connections: number },
): Promise<Load> {
  const { connections, seconds = Number.POSITIVE_INFINITY, requests = Number.POSITIVE_INFINITY } = options
  const messages = pages.map(({ host, path }) =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: br\r\n\r\n`),
  )
  const durationsMs: number[] = []
  const startedAt = performance.now()
  let next = 0
  const one = async (): Promise<void> => {
    const socket = await open(port)
    while (performance.now() - startedAt < seconds * 1000 && next < requests) {
      const message = messages[next++ % messages.length]!
      const from = performance.now()
      await requestOnce(socket, message)
      durationsMs.push(performance.now() - from)
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: connections }, one))
  const elapsed = (performance.now() - startedAt) / 1000
  durationsMs.sort((a, b) => a - b)
  const at = (share: number) =>
    durationsMs[Math.min(durationsMs.length - 1, Math.floor(durationsMs.length * share))] ?? 0
  return { perSecond: durationsMs.length / elapsed, p50: at(0.5), p99: at(0.99) }
}

async function open(port: number): Promise<Socket> {
  return await new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.setNoDelay(true)
    socket.once('error', reject)
  })
}

/** Sends one request and waits for the last byte of its response. */
async function requestOnce(socket: Socket, message: Buffer): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let head = ''
    let left = -1
    const read = (chunk: Buffer) => {
      if (left < 0) {
        head += chunk.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        if (!head.startsWith('HTTP/1.1 200')) return fail(new Error(`the server answered ${head.slice(0, 60)}`))
        left = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0) - (head.length - end - 4)
      } else left -= chunk.length
      if (left > 0) return
      socket.off('data', read)
      socket.off('error', fail)
      resolve()
    }
    const fail = (error: Error) => {
      socket.off('data', read)
      reject(error)
    }
    socket.on('data', read)
    socket.once('error', fail)
    socket.write(message)
  })
}
