import type { Hono } from 'hono'

/** The outside services the sandbox plays, as named by the control door. */
export const services = [
  'facebook',
  'instagram',
  'tiktok',
  'youtube',
  'linkedin',
  'stripe',
  'google',
  'places',
  'smtp',
] as const
export type Service = (typeof services)[number]

/** The five networks a post can reach. */
export type Network = 'facebook' | 'instagram' | 'tiktok' | 'youtube' | 'linkedin'

/** What became visible (public or self-only) at a network; the answer of `GET /_control/posts`. */
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
}

export type PublishedMedia = {
  sha256: string
  bytes: number
  type: string
  width: number
  height: number
  durationMs: number
  /** File name below the sandbox's blob folder, for the wall. */
  blob: string
}

/** What the bytes of a file say. `type` is `application/octet-stream` for anything that is no image or video. */
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
  /** MP4 and MOV: the index comes before the samples */
  moovFirst: boolean
  /** MP4 and MOV: some track starts late, is cut or has several edits */
  editLists: boolean
}

export type Parts = {
  /** Bytes held now; 0 when nothing came yet. */
  size(): number
  /**
   * Writes at `offset` (at most `size()`, otherwise RangeError; what lies behind is cut first) and answers the new size.
   * When the sender goes away it throws, and the bytes that came stay; `truncate` drops them.
   */
  write(source: ReadableStream<Uint8Array> | Uint8Array | null, offset: number): Promise<number>
  truncate(size: number): void
  /** The bytes held now. */
  read(): ReadableStream<Uint8Array>
  /** Turns the bytes into a kept blob; the parts are gone afterwards. */
  finish(): Promise<PublishedMedia>
  drop(): void
}

/** A scripted fault; `method` and `path` are regular expressions, searched in the method and in path?query without the mount. */
export type Fault = {
  id: string
  service: Service
  method: string
  path: string
  skip: number
  times: number
  kind:
    | 'status'
    | 'status-after-commit'
    | 'drop'
    | 'drop-after-commit'
    | 'slow'
    | 'expire-token'
    | 'revoke-token'
    | 'processing-fails'
    | 'expire-container'
    | 'lose-session'
    | 'ghost-duplicate'
    | 'late-list'
    | 'late-status'
  status: number
  headers: Record<string, string>
  body: unknown
  delayMs: number
  /** Of `late-list` and `late-status`: how much later than it is true. */
  seconds: number
  fired: number
}

/**
 * Kinds the door itself cannot carry out: it hands them to the service's handler, which acts on them
 * (`faultOf(c)` in `door.ts`). The other kinds are done by the door around the handler.
 */
export type SemanticFault = {
  kind: 'expire-token' | 'revoke-token' | 'processing-fails' | 'expire-container' | 'lose-session' | 'ghost-duplicate'
  /** What the script asked for beside the kind, e.g. the reason processing fails with; null when it asked for nothing. */
  body: unknown
}

/** One identity a person can log in as at a service's consent page. */
export type Identity = { id: string; name: string; username?: string; email?: string; pages: IdentityPage[] }
export type IdentityPage = { id: string; name: string }

/** What every service module is handed. One per running sandbox. */
export type World = {
  /** Origin of the sandbox, without a trailing slash: http://localhost:3001 */
  readonly url: string
  settings: { quotas: boolean; processingMs: number }
  /** Milliseconds since the epoch; one place to ask, so that a test may hold it. */
  now(): number
  /**
   * The persisted state of one service, made by `initial` when absent and after a reset: a live object whose every mutation
   * is noticed and on disk before the answer of the running request leaves. Rules that keep it quick and sure:
   * - plain JSON values only (no Map, Set, Date, undefined in arrays); anything else throws;
   * - collections are records (or append-only arrays) at the top level, `state.videos[id] = {...}`: one entity is the unit
   *   written, so an entity that holds thousands of others would be rewritten each time;
   * - what is assigned is copied and the literal frozen. Read it back before changing it:
   *   `state.videos[id] = {...}; const video = state.videos[id]!; video.status = 'ready'`;
   * - after an await that may span a reset, and in timers, start again from `world.state(...)`;
   * - it cannot be given to structuredClone; JSON.stringify works.
   */
  state<T extends object>(service: Service, initial: () => T): T
  /** Brings mutations made outside a request (in a timer) to the disk now; inside a request the door does it. */
  changed(): void
  /** Stores bytes under their SHA-256 and reads type, size and duration from them; never trusts a declared type. */
  keepBlob(source: ReadableStream<Uint8Array> | Uint8Array): Promise<PublishedMedia>
  blobPath(blob: string): string
  /** All that can be told from a kept blob's bytes. */
  inspect(blob: string): Promise<MediaFacts>
  /** The bytes so far of a resumable upload, in a file of its own that survives a restart. `name` is the session's id. */
  parts(name: string): Parts
  publish(post: PublishedPost): void
  /** Takes a post back (deleted, or rejected after it was seen). */
  unpublish(platform: Network, id: string): void
  posts(): readonly PublishedPost[]
  /** A new id of `length` decimal digits, unique in this world. */
  digits(length: number): string
  /** An opaque URL-safe secret. */
  secret(bytes?: number): string
}

/** One outside service: its hosts, its own pages, and its seeded identities. */
export type ServiceModule = {
  service: Service
  /**
   * Real host → routes below it, e.g. `graph.facebook.com`; mounted at `/<host>`. Two modules may share a host: a key may go on with
   * the start of the path (`www.googleapis.com/oauth2`), which tells whose request it is; the routes are the real paths all the same.
   */
  hosts: Record<string, (world: World) => Hono>
  /** Routes mounted at the root (Stripe's `/v1/`), if the client's SDK takes no prefix; `rootPaths` are the paths that are theirs. */
  root?: (world: World) => Hono
  rootPaths?: readonly string[]
  /** Tells apart services that share this module's hosts (YouTube's token calls at Google's); undefined: this module's own. */
  serviceOf?: (
    world: World,
    request: { path: string; query: URLSearchParams; body: Record<string, unknown> },
  ) => Service | undefined
  /** The answer of `GET /_control/defaults` for this service. */
  defaults?: (world: World) => unknown
  /** `POST /_control/pages`: makes `count` more pages and answers them. */
  makePages?: (world: World, count: number) => IdentityPage[]
}
