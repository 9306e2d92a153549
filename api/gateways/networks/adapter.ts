import type { TiktokCreatorInfo } from '@flashsheet/contracts/social/schema'
import type { Platform } from '@flashsheet/contracts/networks'
import type { LeftBehind, NetworkErrorClass } from '@flashsheet/contracts/posts/limits'
import type { VariantOptions } from '@flashsheet/contracts/posts/schema'
import type { VideoEncoding } from '@flashsheet/contracts/video'
import type { Readable } from 'node:stream'
import type { Config, NetworkConfigs } from '../../core/config.ts'
import type { NetworkHttp } from './http.ts'

/** A network refused, or could not be reached. `message` is a sentence for the artist. */
export class NetworkError extends Error {
  readonly class: NetworkErrorClass
  /** The network's own code, for the attempt's record. */
  readonly code: string
  /** For LATER: when the quota is expected back. */
  readonly retryAt: Date | undefined
  /** The upload's ids are worthless now (expired session, container, URL): prepare must begin anew. */
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
  /** Null: the network gave none, or none anew; a stored one is then kept. */
  refreshToken: string | null
  accessExpiresAt: Date | null
  refreshExpiresAt: Date | null
  scopes: string
}

export type RemotePage = { pageId: string; name: string; username: string | null; accessToken: string | null }

/** What a finished OAuth walk yields. */
export type Connection = {
  providerUserId: string
  /** The person as the network's callbacks name them, where that is another id. */
  appUserId?: string
  providerName: string
  username: string | null
  tokens: Tokens
  /** Pages the artist can post to; may be empty, which the caller refuses with a sentence. */
  pages: RemotePage[]
}

/** One picture or video as an adapter sees it; nothing here holds a whole file in memory. */
export type PublishMedia = VideoEncoding & {
  kind: 'image' | 'video'
  mimeType: 'image/jpeg' | 'image/png' | 'video/mp4' | 'video/quicktime'
  bytes: number
  width: number
  height: number
  /** Milliseconds; null for images. */
  durationMs: number | null
  /** Opens bytes `start..end` (inclusive); each try opens anew, since a stream cannot be replayed. */
  open: (start?: number, end?: number) => Promise<Readable>
  /** A public address a network may fetch from for 24 hours. */
  url: () => Promise<string>
}

/** Another target that went to the same page at about the same time, whoever's it is. */
export type ConcurrentPublish = {
  targetId: string
  title: string
  message: string
  checkpoint: Readonly<Record<string, unknown>>
  /** What its network is known to call it. */
  knownIds: readonly string[]
  /** Its irreversible call was begun, and which post is its own, or whether there is one, is not known. */
  isInDoubt: boolean
  /** That call may be answered yet. */
  awaitsAnswer: boolean
  firstPublishAt: Date
  lastPublishAt: Date
}

/**
 * One target on its way, as handed to an adapter's steps. `checkpoint` is the adapter's own memory: empty at first, empty
 * again whenever prepare must begin anew, and kept through every other retry.
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
  /** In the form this network takes (`media/service/rendition`), made when first asked for; `confirm` should not need it. */
  media: () => Promise<readonly PublishMedia[]>
  /** What was saved so far; a save shows here at once. */
  readonly checkpoint: Readonly<Record<string, unknown>>
  /** Merges into the checkpoint and commits it; must be awaited BEFORE the next remote call. Throws when the lease was lost. */
  save: (patch: Record<string, unknown>) => Promise<void>
  /** Merges into the checkpoint, committed with whatever is next: for what another worker works out again without harm. */
  saveLater: (patch: Record<string, unknown>) => void
  /** Tells how far the bytes are, 0–100; cheap to call often. Growing, it also starts the back-off anew. */
  progress: (percent: number) => Promise<void>
  /** What `publish` said it made, once it said so. */
  readonly remoteId: string | null
  /** When the irreversible call was first and last begun; null before. Look-ups by time start at the first. */
  firstPublishAt: Date | null
  lastPublishAt: Date | null
  /**
   * Takes the login's turn at calls that its network wants one after the other, and counts it: of all processes one has it, until
   * its `end` or for a minute. Else `waitMs`: how long until it may be free.
   */
  takeTurn: (name: string, perMinute: number) => Promise<{ end: () => Promise<void> } | { waitMs: number }>
  /** Irreversible calls that left and were never clearly answered: one of them may have made the post. */
  unanswered: number
  /** For `irreversible`: throws unless this worker may still send what cannot be taken back. */
  mayLeave: () => Promise<void>
  /** Others whose posts could be taken for this one's; asked for by `findOwnPost` alone. */
  concurrentPublishes: () => Promise<readonly ConcurrentPublish[]>
  /** Aborts when the worker must let go; give it to every request. */
  signal: AbortSignal
  now: () => Date
}

export type PrepareResult =
  | { state: 'ready' }
  /** The network still works on what was sent; asked again after the usual wait, or `waitMs` where that is longer. */
  | { state: 'working'; waitMs?: number }

export type PublishResult =
  /** Taken; `confirm` decides, first after `waitMs` (0: at once). `remoteId` when the network already said it; `remember` goes into the checkpoint with it. */
  | { state: 'accepted'; remoteId: string | null; waitMs: number; remember?: Record<string, unknown> }
  /** The answer itself proves it is public. */
  | { state: 'posted'; remoteId: string; permalink: string | null }

export type ConfirmResult =
  | { state: 'posted'; remoteId: string | null; permalink: string | null }
  /**
   * Not there. `proof`: an object asked for by its id says so, or the network refuses the repeat; the same ids are used again
   * unless `idsLapsed`.
   */
  | { state: 'absent'; evidence: 'proof'; idsLapsed: boolean }
  /**
   * Nothing shows it, which proves nothing yet: the core looks again until the patience of `evidenceOf` is over. Then the call
   * is repeated with the same ids, or, where `mayRepeat` is false, the artist is asked.
   */
  | { state: 'absent'; evidence: 'silence'; mayRepeat: boolean }
  /** It will never be what was asked for; `retryable`: nothing is there, and a fresh prepare may succeed. `leaves`: what is there instead. */
  | { state: 'failed'; code: string; message: string; retryable: boolean; leaves?: LeftBehind }
  /** Asked again after the usual wait, or `waitMs` where that is longer. */
  | { state: 'working'; waitMs?: number }
  /** It may be there, and nobody will ever be able to tell: the artist is asked to look. */
  | { state: 'unclear'; message: string }

/** A post as a list of its page shows it. */
export type ListedPost = {
  /** As a target remembers it in `remoteId`. */
  id: string
  /** What else its network calls it, and what it holds: whose these are, theirs is the post. */
  otherIds: readonly string[]
  at: Date
  words: string
  permalink: string | null
}

/** What became of a post after it was posted: YouTube's late rejection, TikTok's late id. */
export type LookAgainResult =
  | { state: 'fine'; remoteId?: string; permalink?: string | null }
  | { state: 'working' }
  | { state: 'rejected'; code: string; message: string }

/** What one kind of post at one network can be known by. The core waits by it, and the tables of docs/networks are made of it. */
export type Evidence = {
  /** As the table names it: "Photos", "Reel". */
  kind: string
  /** The call that cannot be taken back. */
  irreversibleCall: string
  knownBefore: string
  presence: string
  /** What proves that nothing is there. */
  proofOfAbsence: string
  /** What only fails to show it; null where every look is clear. */
  silence: string | null
  /** Milliseconds from the end of the last unanswered call before silence counts. */
  patienceMs: number
  /** What is done once silence counts. */
  afterSilence: string
}

/**
 * A network in four small steps (docs/product/publishing.md). Every step may be run again after a crash: it reads `checkpoint`
 * to see what it reached. Throws NetworkError; a NetworkError of class `unknown` (or any other error) out of
 * `publish` means the outcome is not known and only `confirm` may decide. Any other class out of `publish` says that
 * nothing was published, and the step is repeated with the same ids after its wait.
 * `facebook/publish.ts` is the exemplar.
 */
export type PublishSteps = {
  /** Where a network tells how many posts a day it takes: its limit, and what all apps together used of it. */
  allowance?: (page: Pick<PublishJob, 'accessToken' | 'pageId' | 'signal'>) => Promise<{ limit: number; used: number }>
  /** Uploads, invisible and resumable. */
  prepare: (job: PublishJob) => Promise<PrepareResult>
  /** What each kind of post can be known by, in the order of the table. */
  evidence: readonly Evidence[]
  /** That of the kind a target is, by its checkpoint. */
  evidenceOf: (checkpoint: Readonly<Record<string, unknown>>) => Evidence
  /** The ONE irreversible call, marked `irreversible` for `http.ts`. */
  publish: (job: PublishJob) => Promise<PublishResult>
  /** Read-only at the network; it may `save`, to count its looks. */
  confirm: (job: PublishJob) => Promise<ConfirmResult>
  /** What the page shows since the first irreversible call, for the artist to pick from; null where its network lists no posts of this kind. */
  listPosts: (job: PublishJob) => Promise<readonly ListedPost[] | null>
  /** The public address, once posted without one; null when not known yet. */
  link: (job: PublishJob, remoteId: string) => Promise<string | null>
  /** Where a posted thing can still change: asked after a minute, then at growing gaps for a day, until `fine` or `rejected`. */
  reconcilePosted?: (job: PublishJob, remoteId: string | null) => Promise<LookAgainResult>
  /** Milliseconds: the shortest and the longest gap between two polls at this network. */
  shortestPollGapMs: number
  longestPollGapMs: number
}

/** Signing in at a network and keeping its tokens alive. */
export type ConnectSteps = {
  platform: Platform
  usesPkce: boolean
  authorizeUrl: (walk: { state: string; redirectUri: string; codeChallenge: string | null }) => string
  /** Code → tokens → who and which pages. Throws NetworkError. */
  exchange: (walk: { code: string; redirectUri: string; codeVerifier: string | null; now: Date }) => Promise<Connection>
  /** Null: this network's tokens are not refreshed (Facebook). Throws NetworkError (`reconnect` when it is over). */
  refresh: ((tokens: Tokens, now: Date) => Promise<Tokens>) | null
  /** Asks whether the account still opens, for tokens that cannot be refreshed now. Throws NetworkError (`reconnect` when it is over). */
  check: (account: {
    tokens: Tokens
    pages: readonly { pageId: string; accessToken: string | null }[]
  }) => Promise<void>
  /** Tells the network we let go; a failure is not fatal. Null where there is no such call. */
  revoke: ((account: { providerUserId: string; tokens: Tokens }) => Promise<void>) | null
}

/** The gap its documentation wants between two polls; the sandbox, where it plays the network, is done sooner. */
export function pollGap(documentedMs: number, config: { sandboxMs?: number | undefined }): number {
  return Math.min(documentedMs, config.sandboxMs ?? documentedMs)
}

/** What both halves of a network are made from: `facebookConnect(context)`, `facebookPublish(context)` and alike. */
export type NetworkContext<P extends Platform> = {
  config: NetworkConfigs[P]
  versions: Config['versions']
  http: NetworkHttp
  now: () => Date
}

/**
 * A network as the product holds it: two halves that share one error table (`<network>/errors.ts`) and one
 * HTTP client (`<network>/adapter.ts` makes both).
 */
export type NetworkAdapter = {
  connect: ConnectSteps
  publish: PublishSteps
  /** TikTok only: what the creator may choose. */
  creatorInfo?: (accessToken: string) => Promise<TiktokCreatorInfo>
}
