import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Sandbox } from '../main.ts'
import { startSandboxFixture } from '../sandbox-fixture.ts'
import type { Fault, Network, PublishedExtras } from '../context.ts'

export type Json = Record<string, unknown> & {
  error?: { code: number; error_subcode?: number; message: string; fbtrace_id: string }
}
export type Answer = { status: number; headers: Headers; body: Json }
type SeenPost = {
  platform: Network
  pageId: string
  id: string
  title: string
  text: string
  permalink: string
  media: { sha256: string; bytes: number; type: string; width: number; height: number; durationMs: number }[]
  kind: 'post' | 'reel'
  extras: PublishedExtras
  comments: []
}

/** A running sandbox for one test file, with a file server from which networks can fetch, and clients for both. */
export type NetworkFixture = {
  sandbox: Sandbox
  dataDir: string
  call(
    method: string,
    address: string,
    options?: {
      headers?: Record<string, string>
      json?: unknown
      form?: Record<string, string> | FormData
      body?: Uint8Array | ReadableStream<Uint8Array> | string
    },
  ): Promise<Answer>
  /** Serves bytes at an address from which a network can fetch them. */
  host(name: string, bytes: Uint8Array): string
  /** Paths requested at the file server, with the user agents. */
  requests: { path: string; agent: string }[]
  fault(fault: Partial<Fault>): Promise<void>
  limits(limits: { quotas?: boolean; processingMs?: number }): Promise<void>
  posts(platform: Network, pageId?: string): Promise<SeenPost[]>
  /** Moves the sandbox's clock forward. */
  advance(ms: number): void
  /** Polls `ready` until it returns something. */
  until<T>(ready: () => Promise<T | undefined>): Promise<T>
  stop(): Promise<void>
}

/** A post's public address without its scheme: its path below the sandbox's own host. */
export function belowSandbox(permalink: string | undefined): string {
  return (permalink ?? '').replace(/^https:\/\/www\./, 'www.')
}

export async function startNetworkFixture(processingMs = 60): Promise<NetworkFixture> {
  let ahead = 0
  const now = () => Date.now() + ahead
  const sandbox = await startSandboxFixture({ processingMs, now })
  const files = new Map<string, Uint8Array>()
  const requests: { path: string; agent: string }[] = []
  const server: Server = createServer((request, response) => {
    const url = request.url ?? ''
    requests.push({ path: url, agent: request.headers['user-agent'] ?? '' })
    const moved = /^\/moved(\/.*)$/.exec(url)?.[1]
    const bytes = files.get(url)
    if (moved) response.writeHead(302, { location: moved }).end()
    else if (bytes) response.writeHead(200, { 'content-length': bytes.byteLength }).end(bytes)
    else response.writeHead(404).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    sandbox,
    dataDir: sandbox.folder,
    requests,
    async call(method, address, options = {}) {
      const headers = new Headers(options.headers)
      let body: Uint8Array | ReadableStream<Uint8Array> | string | FormData | URLSearchParams | undefined = options.body
      if (options.json !== undefined) {
        headers.set('content-type', 'application/json')
        body = JSON.stringify(options.json)
      } else if (options.form !== undefined)
        body = options.form instanceof FormData ? options.form : new URLSearchParams(options.form)
      const answer = await fetch(address.startsWith('http') ? address : `${sandbox.url}/${address}`, {
        method,
        headers,
        redirect: 'manual',
        ...(body === undefined ? {} : { body, duplex: 'half' }),
      } as RequestInit)
      const text = await answer.text()
      return {
        status: answer.status,
        headers: answer.headers,
        body: (text.startsWith('{') ? JSON.parse(text) : { text }) as Json,
      }
    },
    host(name, bytes) {
      files.set(`/${name}`, bytes)
      return `${origin}/${name}`
    },
    fault: async (fault) => await sandbox.fault(fault),
    limits: async (limits) => void (await sandbox.control('POST', '/limits', limits)),
    posts: async (platform, pageId) =>
      (await sandbox.control('GET', `/posts?platform=${platform}${pageId ? `&pageId=${pageId}` : ''}`)) as SeenPost[],
    advance(ms) {
      ahead += ms
    },
    async until(ready) {
      for (let tries = 0; tries < 400; tries++) {
        const found = await ready()
        if (found !== undefined) return found
        await new Promise((done) => setTimeout(done, 25))
      }
      throw new Error('it never came')
    },
    async stop() {
      await sandbox.remove()
      await new Promise((done) => server.close(done))
    },
  }
}
