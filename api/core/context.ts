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

/** What one process holds; made once at boot, handed down, never looked up. */
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
  /** What was computed for many callers: public pages, figures that cost much. */
  responses: ResponseCache
  /** Share pictures of artists' sites; apart from `responses`, since they are larger. */
  sharePictures: ResponseCache
  /** Locks by name between all processes (uploads). */
  locks: NamedLocks
  /** How other workers know that this one lives (decision 21). */
  liveness: WorkerLiveness
  /** How far publishing has come, here and outside the database: what a restored one is known by. */
  progress: PublishProgress
  hooks: Hooks
  /** Where files that somebody sent are opened: never in this process. */
  filePool: ProcessPool
  /** The clock, which is the database's (`db/clock.ts`); tests hold it. */
  now: () => Date
  /** Time as it passes in this process: what a lease is believed by. */
  monotonic: Monotonic
  /** How long a person waits for an answer from outside. */
  personWaitsMs: number
}

/** Who is known to call: by the cookie of a session, or by an API key, which may do what its scopes say. */
export type Caller = { kind: 'session'; id: string; user: SessionUser } | KeyCaller

/** One call from outside: the system, and what is known about the caller. */
export type RequestCtx = System & {
  requestId: string
  /** Client address for limits, IPv6 by /64. */
  ip: string
  /** What the browser says of itself. */
  userAgent: string
  caller: Caller | undefined
  /** It came with an Authorization header that names no living key: it is nobody, whatever its cookie says. */
  isKeyRefused: boolean
  /** Whether it comes from a page of our own, or from no browser: what begins a session is done for nobody else. */
  isOwnPage: boolean
  /** A cookie of ours that came with the request. */
  cookie: (name: CookieName) => string | undefined
  /** Adds a Set-Cookie header to the answer, at either door. */
  setCookie: (cookie: string) => void
  /** Sets a header of the answer, also of a refusal. */
  setHeader: (name: string, value: string) => void
}

/** What the guards prove; services ask for the narrowest type they need. */
export type SignedInCtx = RequestCtx & { user: SessionUser; owner: OwnerId }
export type VerifiedCtx = SignedInCtx & { readonly verified: true }
export type SubscriberCtx = VerifiedCtx & { readonly subscriber: true }
export type StudioCtx = SubscriberCtx & { readonly studio: true }
export type AdminCtx = VerifiedCtx & { readonly admin: true }
