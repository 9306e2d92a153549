import { randomBytes, randomInt } from 'node:crypto'
import type { Hono } from 'hono'
import type { Blobs } from './blobs.ts'
import type { Store } from './store.ts'

/** The networks with a public feed. */
const networks = ['facebook', 'instagram', 'tiktok', 'youtube', 'linkedin'] as const
export type Network = (typeof networks)[number]

/** The names of the outside services, as the control API uses them. */
export const services = [...networks, 'stripe', 'google', 'places', 'smtp', 'sink'] as const
export type Service = (typeof services)[number]

/** A post that became visible (public or self-only) at a network, as `GET /_control/posts` answers it. */
export type PublishedPost = {
  platform: Network
  pageId: string
  id: string
  title: string
  text: string
  media: PublishedMedia[]
  permalink: string
  /** ISO instant */
  at: string
  /** An ordinary post if absent. */
  kind?: 'reel'
  /** Absent without any. */
  extras?: PublishedExtras
}

/** What a network stores of a post besides its text and media; an absent member was not sent. */
export type PublishedExtras = {
  /** One per medium, '' for none */
  altTexts?: string[]
  /** The frame of the video that is its cover */
  coverMs?: number
  tags?: string[]
  categoryId?: string
}

/** Facts read from a file's bytes. `type` is `application/octet-stream` for anything that is no image or video. */
export type MediaFacts = {
  type: string
  bytes: number
  /** As shown, after rotation; 0 when unknown */
  width: number
  height: number
  /** 0 for an image */
  durationMs: number
  fps: number
  videoCodec: string
  audioCodec: string
  /** MP4 and MOV: the index is before the samples */
  moovFirst: boolean
  /** MP4 and MOV: some track starts late, is cut or has several edits */
  editLists: boolean
}

export type PublishedMedia = { sha256: string } & Pick<MediaFacts, 'bytes' | 'type' | 'width' | 'height' | 'durationMs'>

export type Parts = ReturnType<Blobs['parts']>

export const faultKinds = [
  'status',
  'status-after-commit',
  'drop',
  'drop-after-commit',
  'slow',
  // From here on the service's handler carries them out (`request-faults.ts`).
  'expire-token',
  'revoke-token',
  'processing-fails',
  'expire-container',
  'lose-session',
  'ghost-duplicate',
  'late-list',
  'late-status',
] as const

/**
 * A scripted fault; `method` and `path` are regular expressions, searched in the method and in path?query without the
 * mount.
 */
export type Fault = {
  id: string
  service: Service
  method: string
  path: string
  skip: number
  times: number
  kind: (typeof faultKinds)[number]
  status: number
  headers: Record<string, string>
  body: unknown
  delayMs: number
  /** The delay of `late-list` and `late-status`. */
  seconds: number
  fired: number
}

/** The stored state of the control API; `seen` counts the requests that a fault has matched. */
type ControlState = { faults: (Fault & { seen: number })[]; limits: { quotas?: boolean; processingMs?: number } }

/** An identity that can log in at a service's consent page. */
export type Identity = { id: string; name: string; username?: string; email?: string; pages: IdentityPage[] }
export type IdentityPage = { id: string; name: string }

/** A monthly price that the Stripe account sells; `id` is its lookup key, `price` is in US cents. */
export type SoldPlan = { id: string; name: string; price: number }

/** The services of the sandbox for its modules. One per running sandbox. */
export type SandboxContext = ReturnType<typeof makeContext>

/** Builds the context of a sandbox. `processingMs` holds until `POST /_control/limits` changes it. */
export function makeContext(
  store: Store,
  blobs: Blobs,
  /** Origin of the sandbox, without a trailing slash: http://localhost:3001 */
  url: string,
  processingMs: number,
  {
    /** Milliseconds since the epoch. All code reads the time here, so that a test can set it. */
    now = Date.now,
    plans = [],
  }: { now?: (() => number) | undefined; plans?: readonly SoldPlan[] | undefined } = {},
) {
  /**
   * The stored state of one service, created by `initial` when absent and after a reset: a live object whose mutations
   * are on disk before the current request is answered. Rules:
   * - plain JSON values only (no Map, Set, Date, undefined in arrays); anything else throws;
   * - collections are records (or append-only arrays) at the top level, `state.videos[id] = {...}`: an entity is written
   *   as a whole, so one that holds thousands of others would be rewritten each time;
   * - an assigned literal is copied and frozen. Read it back before changing it, as `insert` does;
   * - after an await that may span a reset, and in timers, read `sandbox.state(...)` again;
   * - structuredClone does not work on it; JSON.stringify does.
   */
  const state = <T extends object>(name: Service | 'control' | 'requests' | 'world', initial: () => T): T =>
    store.root(name, initial)
  const published = () => state<{ posts: Record<string, PublishedPost> }>('world', () => ({ posts: {} }))
  /** What the control API has set. */
  const control = () => state<ControlState>('control', () => ({ faults: [], limits: {} }))
  const issued = new Set<string>()
  return {
    ...blobs,
    url,
    now,
    plans,
    state,
    control,
    /** Writes mutations to disk now: of timers, and of requests before they are answered. */
    changed: () => store.flush(),
    /** Whether quotas apply, and how long processing takes now. */
    get settings() {
      return { quotas: true, processingMs, ...control().limits }
    },
    /** Makes a post visible; alternative texts that are all empty are none. */
    publish(post: PublishedPost): void {
      const { altTexts, ...extras } = post.extras ?? {}
      const hasAltTexts = altTexts?.some((text) => text !== '')
      published().posts[`${post.platform} ${post.id}`] = {
        ...post,
        extras: { ...(hasAltTexts && { altTexts }), ...extras },
      }
    },
    /** Removes a post (deleted, or rejected after it was public). */
    unpublish(platform: Network, id: string): void {
      delete published().posts[`${platform} ${id}`]
    },
    posts: (): readonly PublishedPost[] => Object.values(published().posts),
    /** A new id of `length` decimal digits, unique in this sandbox. */
    digits(length: number): string {
      for (;;) {
        let id = String(randomInt(1, 10))
        while (id.length < length) id += String(randomInt(0, 10))
        if (issued.has(id)) continue
        issued.add(id)
        return id
      }
    },
    /** An opaque URL-safe secret. */
    secret: (bytes: number): string => randomBytes(bytes).toString('base64url'),
  }
}

/** A request to a service; `text` is its body, empty for binary data. */
type ReceivedRequest = { path: string; headers: Headers; text: string; status: number; at: string }

/** One outside service: its hosts, its own pages, and its seeded identities. */
export type ServiceModule = {
  service: Service
  /**
   * Real host → its routes, e.g. `graph.facebook.com`, mounted at `/<host>`. Two modules may share a host: then a key
   * includes the start of the path (`www.googleapis.com/oauth2`), which selects the module. The routes are the full real
   * paths in either case.
   */
  hosts: Record<string, (sandbox: SandboxContext) => Hono>
  /** Routes mounted at the root (Stripe's `/v1/`), for SDKs that take no prefix; `rootPaths` are their paths. */
  root?: (sandbox: SandboxContext) => Hono
  rootPaths?: readonly string[]
  /** The service of a call to shared hosts (YouTube's token calls at Google's); undefined: this module's own. */
  serviceOf?: (
    sandbox: SandboxContext,
    request: { path: string; query: URLSearchParams; body: Record<string, unknown> },
  ) => Service | undefined
  /** Called after each request with the status of its answer, scripted ones included; 0: the connection was dropped. */
  onRequest?: (sandbox: SandboxContext, request: ReceivedRequest) => void
  /** The answer of `GET /_control/defaults` for this service. */
  defaults?: (sandbox: SandboxContext) => unknown
  /** `POST /_control/pages`: creates one more page. */
  makePage?: (sandbox: SandboxContext) => IdentityPage
}
