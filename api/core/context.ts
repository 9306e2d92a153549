import type { Db, DbClient } from '@flashsheet/db/client'
import type { NamedLocks } from '@flashsheet/db/named-locks'
import type { WorkerLiveness } from '@flashsheet/db/worker-liveness'
import type { PublishProgress } from '@flashsheet/db/publish-progress'
import type { Gateways } from '../gateways/gateways.ts'
import type { Config } from './config.ts'
import type { ApiKeys, KeyCaller } from './api-keys.ts'
import type { AssistantTokens } from './assistant-tokens.ts'
import type { CookieName } from './cookies.ts'
import type { Hooks } from './hooks.ts'
import type { Jobs } from './jobs.ts'
import type { KeyRates } from './key-rates.ts'
import type { LiveFeed } from './live.ts'
import type { Logger } from './log.ts'
import type { ProcessPool } from './process-pool.ts'
import type { Monotonic } from './monotonic.ts'
import type { ResponseCache } from './response-cache.ts'
import type { OwnerId } from './scope.ts'
import type { SessionUser, Sessions } from './sessions/session.ts'

/** The dependencies of one process; made at start and passed down. */
export type System = {
  config: Config
  client: DbClient
  db: Db
  jobs: Jobs
  log: Logger
  sessions: Sessions
  apiKeys: ApiKeys
  assistantTokens: AssistantTokens
  keyRates: KeyRates
  gateways: Gateways
  live: LiveFeed
  /** Caches responses that are the same for many callers: public pages, expensive figures. */
  responses: ResponseCache
  /** Caches share pictures of sites, apart from `responses`, since they are larger. */
  sharePictures: ResponseCache
  /** Locks by name between all processes (uploads). */
  locks: NamedLocks
  /** The heartbeat by which other workers know that this one is alive (decision 21). */
  liveness: WorkerLiveness
  /** A counter of publish calls, in the database and in a copy outside it. If they differ, the database was restored. */
  progress: PublishProgress
  hooks: Hooks
  /** Child processes that open uploaded files, which this process never does. */
  filePool: ProcessPool
  /** The database's clock (`db/clock.ts`), which tests set. */
  now: () => Date
  /** The clock by which leases are measured. */
  monotonic: Monotonic
  /** How long a person waits for the answer of an outside service. */
  interactiveTimeoutMs: number
  /** Aborts when the process begins to stop: event streams end, and the browser opens them again at another process. */
  stopping: AbortSignal
}

/** The authenticated caller: a session, or an API key with its scopes. */
export type Caller = { kind: 'session'; id: string; user: SessionUser } | KeyCaller

/** One request: the system, and what is known about the caller. */
export type RequestCtx = System & {
  requestId: string
  /** Client address for limits, IPv6 by /64. */
  ip: string
  userAgent: string
  caller: Caller | undefined
  /** The Authorization header has no valid key: the caller is anonymous, even with a session cookie. */
  isKeyRefused: boolean
  /** Whether the request comes from our own page or from a program; only such requests may start a session. */
  isSameOrigin: boolean
  /** The value of one of our cookies in the request. */
  cookie: (name: CookieName) => string | undefined
  setCookie: (cookie: string) => void
  /** Sets a header of the response, also of a refusal. */
  setHeader: (name: string, value: string) => void
}

/** Each guard proves one of these; a service takes the weakest that it needs. */
export type SignedInCtx = RequestCtx & { user: SessionUser; owner: OwnerId }
export type VerifiedCtx = SignedInCtx & { readonly verified: true }
export type SubscriberCtx = VerifiedCtx & { readonly subscriber: true }
export type StudioCtx = SubscriberCtx & { readonly studio: true }
export type AdminCtx = VerifiedCtx & { readonly admin: true }
