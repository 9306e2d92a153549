import type { TiktokCreatorInfo } from '@flashsheet/contracts/social/schema'
import type { Platform } from '@flashsheet/contracts/networks'
import type { LeftBehind, NetworkErrorClass } from '@flashsheet/contracts/posts/limits'
import type { VariantOptions } from '@flashsheet/contracts/posts/schema'
import type { VideoEncoding } from '@flashsheet/contracts/video'
import type { Readable } from 'node:stream'
import type { Config, NetworkConfigOf } from '../../core/config.ts'
import type { NetworkHttp } from './http.ts'

/** A network refused, or was unreachable. `message` is a sentence for the artist. */
export class NetworkError extends Error {
  readonly class: NetworkErrorClass
  /** The network's own error code, for the attempt's record. */
  readonly code: string
  /** For `later`: when the quota is expected to reset. */
  readonly retryAt: Date | undefined
  /** The upload's ids are invalid (expired session, container, URL): prepare must start again. */
  readonly idsLapsed: boolean

  constructor(
    errorClass: NetworkErrorClass,
    code: string,
    message: string,
    details: { retryAt?: Date; idsLapsed?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause })
    this.name = 'NetworkError'
    this.class = errorClass
    this.code = code
    this.retryAt = details.retryAt
    this.idsLapsed = details.idsLapsed ?? false
  }
}

export type Tokens = {
  accessToken: string
  /** Null when the network issued none; a stored one then stays valid. */
  refreshToken: string | null
  accessExpiresAt: Date | null
  refreshExpiresAt: Date | null
  scopes: string
}

/**
 * A page's profile at its network. `picture` is an address that expires (LinkedIn: an image id, see `pictureAddress`);
 * null when the page has none or the network did not return it.
 */
export type PageProfile = { pageId: string; name: string; username: string | null; picture: string | null }

export type RemotePage = PageProfile & { accessToken: string | null }

/** The result of an OAuth flow. */
export type Connection = {
  providerUserId: string
  /** The person's id in the network's callbacks, where it differs. */
  appUserId?: string
  providerName: string
  username: string | null
  tokens: Tokens
  /** Pages the artist can post to; may be empty. */
  pages: RemotePage[]
}

/** A connection where the person is their first page, and pages have no tokens of their own. */
export function connectionOf(tokens: Tokens, profiles: readonly PageProfile[]): Connection {
  const [first] = profiles
  return {
    providerUserId: first?.pageId ?? '',
    providerName: first?.name ?? '',
    username: first?.username ?? null,
    tokens,
    pages: profiles.map((profile) => ({ ...profile, accessToken: null })),
  }
}

/** A picture or video for an adapter; nothing here holds a whole file in memory. */
export type PublishMedia = VideoEncoding & {
  kind: 'image' | 'video'
  mimeType: 'image/jpeg' | 'image/png' | 'video/mp4' | 'video/quicktime'
  bytes: number
  width: number
  height: number
  /** Milliseconds; null for images. */
  durationMs: number | null
  /** Opens bytes `start..end` (inclusive); each attempt opens a new stream. */
  open: (start?: number, end?: number) => Promise<Readable>
  /** A public address from which a network may fetch for 24 hours. */
  url: () => Promise<string>
}

/** Another target on the same page at about the same time, of any artist. */
export type ConcurrentPublish = {
  targetId: string
  title: string
  message: string
  checkpoint: Readonly<Record<string, unknown>>
  /** Its ids at the network. */
  knownIds: readonly string[]
  /** Its irreversible call has started, and its post is not identified. */
  isInDoubt: boolean
  /** That call is still under way. */
  awaitsAnswer: boolean
  firstPublishAt: Date
  lastPublishAt: Date
}

/**
 * One target, as passed to an adapter's steps. `checkpoint` is the adapter's own state: empty at first and whenever
 * prepare must start again, and kept through every other retry.
 */
export type PublishJob = {
  targetId: string
  accessToken: string
  /** Facebook: the page's own token. */
  pageAccessToken: string | null
  providerUserId: string
  pageId: string
  pageUsername: string | null
  title: string
  message: string
  options: VariantOptions
  /** In this network's form (`media/service/rendition`), made when first used; `confirm` should not need it. */
  media: () => Promise<readonly PublishMedia[]>
  /** The saved values, including those of the last `save`. */
  readonly checkpoint: Readonly<Record<string, unknown>>
  /** Merges into the checkpoint and commits it; await it BEFORE the next remote call. Throws when the lease is lost. */
  save: (patch: Record<string, unknown>) => Promise<void>
  /** Merges into the checkpoint; committed with the step's result, or before. For values that can be recomputed until then. */
  saveLater: (patch: Record<string, unknown>) => void
  /** Reports upload progress in percent, 0–100; cheap to call often. A higher value also resets the retry delay. */
  progress: (percent: number) => Promise<void>
  /** The id that `publish` returned, once it did. */
  readonly remoteId: string | null
  /** When the irreversible call was first and last started; null before. Searches by time start at the first. */
  firstPublishAt: Date | null
  lastPublishAt: Date | null
  /**
   * Acquires the login's turn, for calls that its network accepts only one at a time, and counts it against `perMinute`.
   * The turn lasts until `end`, at most a minute. Returns `waitMs` if there is no turn now.
   */
  acquireTurn: (name: string, perMinute: number) => Promise<{ end: () => Promise<void> } | { waitMs: number }>
  /** Irreversible calls without a clear answer: one of them may have made the post. */
  unanswered: number
  /** For `irreversible`: throws unless this worker may still send the irreversible call. */
  assertLease: () => Promise<void>
  /** Other targets whose posts could be mistaken for this one's; only `findOwnPost` uses it. */
  concurrentPublishes: () => Promise<readonly ConcurrentPublish[]>
  /** Aborts when the worker must stop; pass it to every request. */
  signal: AbortSignal
  now: () => Date
}

type PrepareResult =
  | { state: 'ready' }
  /** The network is still processing; polled again after the usual gap, or `waitMs` where that is longer. */
  | { state: 'working'; waitMs?: number }
  /** `acquireTurn` gave no turn, so nothing was sent: `prepare` is repeated after `waitMs`, without the usual gap. */
  | { state: 'queued'; waitMs: number }

export type PublishResult =
  /** Accepted; `confirm` decides, first after `waitMs` (0: at once). `remoteId` when the network returned it. */
  | { state: 'accepted'; remoteId: string | null; waitMs: number }
  /** The answer itself proves it is public. */
  | { state: 'posted'; remoteId: string; permalink: string | null }

export type ConfirmResult =
  | { state: 'posted'; remoteId: string | null; permalink: string | null }
  /**
   * It does not exist. `proof`: reading an object by its id says so, or the network refuses the repetition; the same
   * ids are used again unless `idsLapsed`.
   */
  | { state: 'absent'; evidence: 'proof'; idsLapsed: boolean }
  /**
   * It was not found, which proves nothing yet: it is confirmed again until the grace period of `evidenceOf` is over.
   * Then the call is repeated with the same ids, or, where `mayRepeat` is false, the artist is asked.
   */
  | { state: 'absent'; evidence: 'inconclusive'; mayRepeat: boolean }
  /** Never published as requested. `retryable`: nothing exists, a new prepare may succeed. `leftBehind`: what does. */
  | { state: 'failed'; code: string; message: string; retryable: boolean; leftBehind?: LeftBehind }
  /** Polled again after the usual gap, or `waitMs` where that is longer. */
  | { state: 'working'; waitMs?: number }
  /** It may exist, and no request can find out: the artist is asked to check. */
  | { state: 'unclear'; message: string }

/** A post in the list of its page. */
export type ListedPost = {
  /** The id as stored in a target's `remoteId`. */
  id: string
  /** Its other ids, and the ids of its media: the target that knows one of these owns the post. */
  otherIds: readonly string[]
  at: Date
  text: string
  permalink: string | null
}

/** The state of a post after it was posted. `settled`: it will not change any more. */
export type ReconcileResult =
  | { state: 'settled'; remoteId?: string; permalink?: string | null }
  | { state: 'working' }
  | { state: 'rejected'; code: string; message: string }

/** The evidence for one kind of post at one network: the source of the waits, and of the tables in docs/networks. */
export type Evidence = {
  /** The kind in the table: "Photos", "Reel". */
  kind: string
  /** The irreversible call. */
  irreversibleCall: string
  /** The ids that are known before the call. */
  knownBefore: string
  /** What proves that the post exists. */
  presence: string
  /** What proves that nothing exists. */
  proofOfAbsence: string
  /** What fails to show the post without proving its absence; null where every read is conclusive. */
  inconclusive: string | null
  /** The grace period: milliseconds from the end of the last unanswered call until inconclusive lookups count as absence. */
  gracePeriodMs: number
  /** What happens when the grace period is over and the lookups were inconclusive. */
  afterGracePeriod: string
}

/**
 * Publishing at a network in four small steps: prepare, publish, confirm, link (docs/product/publishing.md). Every step may
 * be run again after a crash: it reads `checkpoint` to see what it reached. Throws NetworkError. A NetworkError of class
 * `unknown` (or any other error) out of `publish` means that the outcome is not known and only `confirm` may decide. Any
 * other class out of `publish` means that nothing was published, and the step is repeated with the same ids after its wait.
 * Read `facebook/publish.ts` first: it is the example for a new network.
 */
export type PublishSteps = {
  /** Where a network reports its daily post limit: the limit, and how much all apps together used. */
  allowance?: (page: Pick<PublishJob, 'accessToken' | 'pageId' | 'signal'>) => Promise<{ limit: number; used: number }>
  /** Uploads, invisible and resumable. */
  prepare: (job: PublishJob) => Promise<PrepareResult>
  /** The evidence for a target's kind, which its checkpoint determines. */
  evidenceOf: (checkpoint: Readonly<Record<string, unknown>>) => Evidence
  /** The only irreversible call, marked `irreversible` for `http.ts`. */
  publish: (job: PublishJob) => Promise<PublishResult>
  /** Only reads at the network; may `save`, to count its attempts. */
  confirm: (job: PublishJob) => Promise<ConfirmResult>
  /** The page's posts since the first irreversible call, to pick from; null where a network lists none of this kind. */
  listPosts: (job: PublishJob) => AsyncIterable<ListedPost> | null
  /** The public address, when publish returned none; null when it is not known yet. */
  link: (job: PublishJob, remoteId: string) => Promise<string | null>
  /**
   * Where a post can still change (YouTube's late rejection, TikTok's late id): called after a minute, then at growing
   * gaps for a day, until `settled` or `rejected`.
   */
  reconcilePosted?: (job: PublishJob, remoteId: string | null) => Promise<ReconcileResult>
  /** Milliseconds: the shortest and longest gap between two polls at this network. */
  shortestPollGapMs: number
  longestPollGapMs: number
}

/** A connected account, with its pages and their own tokens. */
type ConnectedAccount = { tokens: Tokens; pages: readonly Pick<RemotePage, 'pageId' | 'accessToken'>[] }

/** Connecting to a network, and its tokens. */
export type ConnectSteps = {
  usesPkce?: boolean
  authorizeUrl: (flow: { state: string; redirectUri: string; codeChallenge: string | null }) => string
  /** Exchanges the code for tokens, the person and their pages. Throws NetworkError. */
  exchange: (flow: { code: string; redirectUri: string; codeVerifier: string | null; now: Date }) => Promise<Connection>
  /** Null: tokens cannot be refreshed (Facebook). Throws NetworkError (`reconnect` when they are invalid). */
  refresh: ((tokens: Tokens, now: Date) => Promise<Tokens>) | null
  /** Checks tokens that cannot be refreshed now, where `profiles` is not such a check. Throws NetworkError (`reconnect` when they are invalid). */
  check?: (account: ConnectedAccount) => Promise<void>
  /** The current profiles of the pages. Throws NetworkError (`reconnect` when the tokens are invalid). */
  profiles: (account: ConnectedAccount) => Promise<PageProfile[]>
  /** Resolves a `picture` that is an id to its address; null when there is none. Throws NetworkError. */
  pictureAddress?: (tokens: Tokens, picture: string) => Promise<string | null>
  /** Revokes our access at the network; a failure is not fatal. Null where there is no such call. */
  revoke: ((account: { providerUserId: string; tokens: Tokens }) => Promise<void>) | null
}

/** The documented gap between two polls, in milliseconds; at most `sandboxMs` where the sandbox replaces the network. */
export function pollGapMs(documentedMs: number, config: { sandboxMs?: number | undefined }): number {
  return Math.min(documentedMs, config.sandboxMs ?? documentedMs)
}

/** The dependencies of both halves of an adapter, such as `facebookConnect(context)` and `facebookPublish(context)`. */
export type NetworkContext<P extends Platform> = {
  config: NetworkConfigOf<P>
  versions: Config['versions']
  http: NetworkHttp
  now: () => Date
}

/** A network's adapter: two halves with one error table (`<network>/errors.ts`) and one HTTP client. */
export type NetworkAdapter = {
  connect: ConnectSteps
  publish: PublishSteps
  /** TikTok only: the creator's options. */
  creatorInfo?: (accessToken: string) => Promise<TiktokCreatorInfo>
}
