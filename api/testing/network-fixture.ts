import type { Platform } from '@flashsheet/contracts/networks'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { startSandbox } from '@flashsheet/sandbox'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { Readable } from 'node:stream'
import { readConfig, type Config } from '../core/config.ts'
import type { SubscriberCtx, System } from '../core/context.ts'
import { createLogger } from '../core/log.ts'
import { removePost } from '../features/posts/service/remove.ts'
import { retryPost } from '../features/posts/service/resend.ts'
import { listAccounts } from '../features/social/service/accounts.ts'
import { finishConnecting, startConnecting } from '../features/social/service/connect.ts'
import { validTokens } from '../features/social/service/tokens.ts'
import type { ReconcileResult, PublishMedia } from '../gateways/networks/adapter.ts'
import { startSystem } from '../wiring.ts'
import { createArtist } from './actors.ts'
import { patientTimeouts } from './app.ts'
import { cloneDatabase } from './database.ts'
import type { FaultOptions } from './posting.ts'
import { createPublishRunner, type Target, type TargetContent } from './publish-job.ts'
import { control, type SandboxPost } from './sandbox.ts'
import { startRecordingProxy, type Call, type RequestFault } from './recording-proxy.ts'
import { subscriberCtx } from './system.ts'

/** A request to the network, or a saved checkpoint. */
export type Step = ({ kind: 'call' } & Call) | { kind: 'save'; patch: Record<string, unknown> }

export type NetworkFault = FaultOptions & { path?: string }

export type NetworkFixture = {
  platform: Platform
  page: SocialAccount['pages'][number]
  /** The steps since the last `target()`, in order. */
  steps: Step[]
  /** The requests among the steps whose path contains `part`. */
  calls: (part: string, method?: string) => Call[]
  /** Creates a target; clears the steps and faults. */
  target: (content: TargetContent) => Promise<Target>
  run: (target: Target) => Promise<Target>
  reconcilePosted: (target: Target) => Promise<ReconcileResult>
  /** The artist's "Try again". */
  retry: (target: Target) => Promise<void>
  /** Deletes a posted target here; its post stays at the network. */
  remove: (target: Target) => Promise<void>
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
  const database = await cloneDatabase()
  const config = configOf(platform, { dataDir, databaseUrl: database.url, sandboxUrl: proxy.url }, options.clientId)
  const { system, stop } = await startSystem(config, {
    databaseUrl: database.url,
    log: createLogger('silent'),
    isWorker: false,
    requestTimeouts: patientTimeouts,
  })
  await control(app, 'POST', '/limits', { quotas: false })
  const ctx = await createSubscriber(system)
  const account = await connectAt(ctx, platform, options.as)
  const [page] = account.pages
  if (!page) throw new Error(`${platform} listed no page`)

  const steps: Step[] = []
  let isFatal = false
  const runner = createPublishRunner({
    system,
    userId: ctx.owner,
    account,
    page,
    saved: (patch) => steps.push({ kind: 'save', patch }),
    networkMs: processingMs,
  })
  proxy.listen({
    call: (call) => steps.push(Object.assign(call, { kind: 'call' as const })),
    fault: () => {
      if (isFatal) runner.die()
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
    retry: async ({ postId }) => void (await retryPost(ctx, { postId })),
    remove: async ({ postId }) => void (await removePost(ctx, { postId })),
    async target(content) {
      await control(app, 'DELETE', '/faults')
      proxy.reset()
      steps.length = 0
      return await runner.newTarget(content)
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
      const { accessToken } = await validTokens(system, ctx.owner, account._id)
      const answer = await fetch(app.sandboxUrl + at, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${accessToken}`,
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
      await connectAt(ctx, platform, options.as)
    },
    async stop() {
      await Promise.all([proxy.stop(), files.stop()])
      await runner.stop()
      await stop(0)
      await sandbox.stop()
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The settings of an installation whose network is the sandbox at `sandboxUrl`; `clientId` names another app there. */
function configOf(
  platform: Platform,
  { dataDir, databaseUrl, sandboxUrl }: { dataDir: string; databaseUrl: string; sandboxUrl: string },
  clientId: string | undefined,
): Config {
  const config = readConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    SANDBOX_PORT: new URL(sandboxUrl).port,
    RATE_LIMITS: 'off',
  })
  const network = config.networks[platform]
  return network && clientId !== undefined
    ? { ...config, networks: { ...config.networks, [platform]: { ...network, clientId } } }
    : config
}

async function createSubscriber(system: System): Promise<SubscriberCtx> {
  const { client, config, now } = system
  const artist = await createArtist({ client, url: config.publicUrl, clock: { now }, running: { config } })
  return subscriberCtx(artist, system)
}

/** Connects through the network's consent page, as a browser does. */
async function connectAt(ctx: SubscriberCtx, platform: Platform, as: string | undefined): Promise<SocialAccount> {
  const page = new URL(await startConnecting(ctx, { platform, isBrowser: false }))
  page.searchParams.set('auto', 'approve')
  if (as !== undefined) page.searchParams.set('as', as)
  const back = (await fetch(page, { redirect: 'manual' })).headers.get('location')
  const { code, state } = Object.fromEntries(new URL(back ?? '', page).searchParams)
  const end = await finishConnecting(ctx, { platform, code, state })
  const [account] = await listAccounts(ctx)
  if (!account || !end.includes('connected')) throw new Error(`the consent page led to ${back}, and that to ${end}`)
  return account
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
