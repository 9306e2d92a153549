import type { Platform } from '@flashsheet/contracts/networks'
import { startSandbox } from '@flashsheet/sandbox'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { Readable } from 'node:stream'
import { readConfig } from '../core/config.ts'
import {
  NetworkError,
  type ConnectSteps,
  type Connection,
  type ReconcileResult,
  type NetworkAdapter,
  type PublishMedia,
  type RemotePage,
} from '../gateways/networks/adapter.ts'
import { createAdapters } from '../gateways/networks/adapters.ts'
import type { FaultOptions } from './posting.ts'
import { createPublishRunner, newTarget, type Target, type TargetContent } from './publish-job.ts'
import { control, type SandboxPost } from './sandbox.ts'
import { startRecordingProxy, type Call, type RequestFault } from './recording-proxy.ts'

/** A request to the network, or a saved checkpoint. */
export type Step = ({ kind: 'call' } & Call) | { kind: 'save'; patch: Record<string, unknown> }

export type NetworkFault = FaultOptions & { path?: string }

export type NetworkFixture = {
  platform: Platform
  page: RemotePage
  /** The steps since the last `target()`, in order. */
  steps: Step[]
  /** The requests among the steps whose path contains `part`. */
  calls: (part: string, method?: string) => Call[]
  /** Creates a target; clears the steps and faults. */
  target: (content: TargetContent) => Promise<Target>
  run: (target: Target) => Promise<Target>
  reconcilePosted: (target: Target) => Promise<ReconcileResult>
  /** Applies a fault to the n-th request from now on (from 1); `fatal`: the worker dies at that moment. */
  disturb: (nth: number, fault: RequestFault, fatal?: boolean) => void
  /** Scripts a fault at this network's sandbox. */
  fault: (kind: string, fault?: NetworkFault) => Promise<void>
  control: <T>(method: string, path: string, body?: unknown) => Promise<T>
  /** The posts of this page, with this text or title if one is given. */
  posts: (text?: string) => Promise<SandboxPost[]>
  picture: (bytes: Buffer, width: number, height: number) => PublishMedia
  video: (bytes: Buffer, facts?: Partial<PublishMedia>) => PublishMedia
  /** Calls this path with the identity's token, as another app of the artist would; returns the status. */
  callAsOtherApp: (path: string, body: unknown, headers?: Record<string, string>) => Promise<number>
  /** Reconnects the same identity after its token was invalidated. */
  reconnect: () => Promise<void>
  stop: () => Promise<void>
}

const processingMs = 20

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Appends a random word, so that the posts with this text can be counted. */
export const uniqueText = (words: string): string => `${words} ${randomBytes(6).toString('hex')}`

/**
 * One network's adapter at a real sandbox, with a proxy between them that can break connections, and an identity that is
 * connected through the consent page. Quotas are off. `as` names the identity, `clientId` our app.
 */
export async function startNetworkFixture(
  platform: Platform,
  options: { as?: string; clientId?: string } = {},
): Promise<NetworkFixture> {
  const proxy = await startRecordingProxy()
  const dataDir = mkdtempSync(path.join(tmpdir(), 'flashsheet-network-'))
  const sandbox = await startSandbox({ port: 0, dataDir, processingMs, publicUrl: proxy.url })
  proxy.setTarget(sandbox.port)
  const app = { sandboxUrl: `http://127.0.0.1:${sandbox.port}` }
  const files = await startFileServer()
  const adapter = adapterOf(platform, new URL(proxy.url).port, options.clientId)
  const { publish, connect } = adapter
  await control(app, 'POST', '/limits', { quotas: false })
  let connection = await connectAt(connect, options.as)
  const [page] = connection.pages
  if (!page) throw new Error(`${platform} listed no page`)

  const steps: Step[] = []
  let isFatal = false
  let isDead = false
  proxy.listen({
    call: (call) => steps.push(Object.assign(call, { kind: 'call' as const })),
    fault: () => {
      isDead = isFatal
    },
  })
  const runner = createPublishRunner({
    platform,
    steps: publish,
    account: () => ({
      accessToken: connection.tokens.accessToken,
      // A reconnect issues another token of the page.
      pageAccessToken: connection.pages.find((one) => one.pageId === page.pageId)?.accessToken ?? null,
      providerUserId: connection.providerUserId,
      pageId: page.pageId,
      pageUsername: page.username,
    }),
    async refresh() {
      const tokens = await refreshTokens(connect, connection)
      if (tokens) connection = { ...connection, tokens }
      return tokens !== undefined
    },
    saved: (patch) => steps.push({ kind: 'save', patch }),
    isDead: () => isDead,
    networkMs: processingMs,
    revive: () => {
      isDead = false
    },
  })

  return {
    platform,
    page,
    steps,
    calls: (part, method) =>
      steps.flatMap((step) =>
        step.kind === 'call' && step.path.includes(part) && (method === undefined || step.method === method)
          ? [step]
          : [],
      ),
    run: async (target) => await runner.run(target),
    reconcilePosted: async (target) => await runner.reconcilePosted(target),
    async target(content) {
      await control(app, 'DELETE', '/faults')
      proxy.reset()
      isDead = false
      steps.length = 0
      return newTarget(content)
    },
    disturb(nth, fault, fatal = false) {
      isFatal = fatal
      proxy.disturb(nth, fault)
    },
    async fault(kind, { path: at = '', ...fault } = {}) {
      await control(app, 'POST', '/faults', { service: platform, kind, path: at, ...fault })
    },
    control: async (method, at, body) => await control(app, method, at, body),
    async posts(text) {
      const posts = await control<SandboxPost[]>(
        app,
        'GET',
        `/posts?platform=${platform}&pageId=${encodeURIComponent(page.pageId)}`,
      )
      return text === undefined ? posts : posts.filter((post) => post.text === text || post.title === text)
    },
    picture: (bytes, width, height) =>
      files.host(bytes, {
        kind: 'image',
        mimeType: 'image/jpeg',
        width,
        height,
        durationMs: null,
        codec: null,
        audioCodec: null,
        fps: null,
      }),
    video: (bytes, facts = {}) =>
      files.host(bytes, {
        kind: 'video',
        mimeType: 'video/mp4',
        width: 540,
        height: 960,
        durationMs: 5000,
        codec: 'avc',
        audioCodec: 'aac',
        fps: 30,
        ...facts,
      }),
    async callAsOtherApp(at, body, headers = {}) {
      const answer = await fetch(app.sandboxUrl + at, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${connection.tokens.accessToken}`,
          ...headers,
        },
        body: JSON.stringify(body),
      })
      await answer.arrayBuffer()
      return answer.status
    },
    async reconnect() {
      await control(app, 'DELETE', '/faults')
      proxy.reset()
      connection = await connectAt(connect, options.as)
    },
    async stop() {
      await Promise.all([proxy.stop(), files.stop()])
      await sandbox.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function refreshTokens(connect: ConnectSteps, { tokens }: Connection): Promise<Connection['tokens'] | undefined> {
  try {
    const fresh = await connect.refresh?.(tokens, new Date())
    return fresh && { ...fresh, refreshToken: fresh.refreshToken ?? tokens.refreshToken }
  } catch (error) {
    if (error instanceof NetworkError) return undefined
    throw error
  }
}

function adapterOf(platform: Platform, sandboxPort: string, clientId: string | undefined): NetworkAdapter {
  const { networks, versions } = readConfig({ DATA_DIR: tmpdir(), SANDBOX_PORT: sandboxPort })
  const config = networks[platform]
  const adapterNetworks =
    config && clientId !== undefined ? { ...networks, [platform]: { ...config, clientId } } : networks
  const adapter = createAdapters({ networks: adapterNetworks, versions }, () => new Date())[platform]
  if (!adapter) throw new Error(`${platform} is not configured`)
  return adapter
}

/** Connects through the network's consent page, as a browser does. */
async function connectAt(connect: ConnectSteps, as: string | undefined): Promise<Connection> {
  const codeVerifier = connect.usesPkce ? randomBytes(32).toString('base64url') : null
  const codeChallenge = codeVerifier === null ? null : createHash('sha256').update(codeVerifier).digest('base64url')
  const redirectUri = 'http://localhost:3000/api/social-connect/callback'
  const page = new URL(connect.authorizeUrl({ state: 'st', redirectUri, codeChallenge }))
  page.searchParams.set('auto', 'approve')
  if (as !== undefined) page.searchParams.set('as', as)
  const back = (await fetch(page, { redirect: 'manual' })).headers.get('location')
  const code = back === null ? null : new URL(back).searchParams.get('code')
  if (!code) throw new Error(`the consent page led to ${back}`)
  return await connect.exchange({ code, redirectUri, codeVerifier, now: new Date() })
}

/** A file server in place of our storage, from which networks fetch. */
async function startFileServer() {
  const files = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const bytes = files.get(request.url ?? '')
    if (bytes) response.writeHead(200, { 'content-length': bytes.byteLength }).end(bytes)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host(bytes: Buffer, facts: Omit<PublishMedia, 'bytes' | 'open' | 'url'>): PublishMedia {
      const name = `/${randomBytes(8).toString('hex')}`
      files.set(name, bytes)
      return {
        ...facts,
        bytes: bytes.byteLength,
        open: async (start = 0, end = bytes.byteLength - 1) =>
          await Promise.resolve(Readable.from(inPieces(bytes.subarray(start, end + 1)))),
        url: async () => await Promise.resolve(`${origin}${name}`),
      }
    },
    async stop() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function* inPieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.byteLength; at += 65_536) yield bytes.subarray(at, at + 65_536)
}
