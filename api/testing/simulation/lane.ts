import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { postTargets } from '@flashsheet/db/schema/posts'
import { notices } from '@flashsheet/db/schema/notices'
import { socialAccounts, socialPages } from '@flashsheet/db/schema/social'
import type { DbClient } from '@flashsheet/db/client'
import type { Platform } from '@flashsheet/contracts/networks'
import { and, eq } from 'drizzle-orm'
import { randomBytes } from 'node:crypto'
import type { System } from '../../core/context.ts'
import { newId } from '../../core/ids.ts'
import { ownerScope } from '../../core/scope.ts'
import { resumeTargets } from '../../features/posts/service/await-account.ts'
import { sealPageToken, sealToken } from '../../features/social/service/token-encryption.ts'
import { publishTarget } from '../../features/posts/service/publish.ts'
import { reconcilePosted } from '../../features/posts/service/reconcile.ts'
import type { Send } from '../../gateways/networks/http.ts'
import { textOf } from '../../gateways/networks/refusal.ts'
import { SimulatedWorker, type StatementFault } from './simulated-worker.ts'
import { workerSystem } from './worker-system.ts'
import { insertDuePosts } from './due-post.ts'
import { seeded, type Random } from '../random.ts'
import { graphError, type StandInRequest, type StandInDelays, type StandInAnswer, type StandIn } from './stand-in.ts'
import { facebookStandIn } from './stand-ins/facebook.ts'
import { instagramStandIn } from './stand-ins/instagram.ts'
import { linkedinStandIn } from './stand-ins/linkedin.ts'
import { tiktokStandIn } from './stand-ins/tiktok.ts'
import { youtubeStandIn } from './stand-ins/youtube.ts'
import { laneDatabaseUrl, VirtualTime } from './virtual-time.ts'
import { errorOf, readRequest, toResponse } from './wire.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** In real time. A post takes a second or two. */
const stallTimeoutMs = 5 * minute

export const kinds = [
  'tiktok',
  'youtube',
  'instagram video',
  'instagram image',
  'facebook photo',
  'facebook reel',
  'facebook video',
  'linkedin video',
  'linkedin image',
] as const
export type Kind = (typeof kinds)[number] | 'instagram carousel'

/** A run of several posts of one artist, without faults, at a slow network. */
export type SlowRun = { posts: number; workMs: number; statusMs: number }

/** A request that the network received. `polledId`: the object whose state it polls. */
export type Arrival = { at: number; request: string; polledId: string | undefined }

/** The result of one run. `violation` names the promise that it broke; empty if there is none. */
export type Outcome = {
  seed: number
  kind: Kind
  end: 'posted' | 'failed' | 'unclear' | 'open'
  postCount: number
  violation: string
  trace: string[]
  arrivals: Arrival[]
}

const standIns = {
  tiktok: tiktokStandIn,
  youtube: youtubeStandIn,
  instagram: instagramStandIn,
  facebook: facebookStandIn,
  linkedin: linkedinStandIn,
} satisfies Record<Platform, unknown>

/**
 * Publishes posts one after the other in its own simulated time, by the product's real services and adapters, at networks
 * with delays and faults, and with workers that die and sleep. `base` is a running system whose database has the virtual clock (`makeVirtualClock`).
 */
export class Lane {
  readonly #base: System
  readonly #admin: DbClient
  readonly #url: string
  readonly #time: VirtualTime
  readonly #workers: [SimulatedWorker | undefined, SimulatedWorker | undefined] = [undefined, undefined]

  constructor(base: System, admin: DbClient, lane: number, startAt: number) {
    this.#base = base
    this.#admin = admin
    this.#url = laneDatabaseUrl(admin.url, lane)
    this.#time = new VirtualTime(lane, admin.sql, startAt)
  }

  /** Publishes one run. Throws, with the trace so far, when it makes no progress. */
  async publish(seed: number, kind: Kind, slowRun?: SlowRun): Promise<Outcome> {
    const run = new Run(
      { base: this.#base, admin: this.#admin, time: this.#time, worker: (which) => this.#worker(which) },
      seed,
      kind,
      slowRun,
    )
    let timer: NodeJS.Timeout | undefined
    const stalled = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error(`seed ${seed}, ${kind}: stalled\n  ${run.trace.join('\n  ')}`)),
        stallTimeoutMs,
      )
    })
    try {
      return await Promise.race([run.play(), stalled])
    } finally {
      clearTimeout(timer)
    }
  }

  async stop(): Promise<void> {
    for (const worker of this.#workers) if (worker && !worker.isDead) await worker.client.close()
  }

  /** The worker with this number, or a new one when it has died. */
  #worker(which: 0 | 1): SimulatedWorker {
    const current = this.#workers[which]
    if (current && !current.isDead) return current
    return (this.#workers[which] = new SimulatedWorker(this.#url, this.#time.writeTime))
  }
}

type Row = typeof postTargets.$inferSelect
const isOpen = ({ phase }: Row) => phase !== 'posted' && phase !== 'failed'
const nextRunAtMs = ({ dueAt, leaseUntil }: Row) =>
  Math.max(dueAt.getTime(), leaseUntil === null ? 0 : leaseUntil.getTime() + 1)

type LaneContext = { base: System; admin: DbClient; time: VirtualTime; worker: (which: 0 | 1) => SimulatedWorker }

/** One run: a post, or with `SlowRun` several posts of one artist. */
class Run {
  readonly #context: LaneContext
  readonly #seed: number
  readonly #kind: Kind
  readonly #platform: Platform
  readonly #random: Random
  readonly #delays: StandInDelays
  readonly #standIn: StandIn
  readonly #trace: string[] = []
  readonly #arrivals: Arrival[] = []
  readonly #isSlow: boolean
  readonly #bytes: number
  readonly #pageId = `p${randomBytes(8).toString('hex')}`
  readonly #validTokens = new Set<string>()
  #refreshToken = ''
  readonly #ids: { user: string; account: string; media: string[]; targets: string[] }
  #faultsLeft: number
  #isNested = false
  /** When the login was last invalidated. */
  #invalidatedAt = 0

  constructor(context: LaneContext, seed: number, kind: Kind, slowRun?: SlowRun) {
    this.#context = context
    this.#seed = seed
    this.#kind = kind
    this.#platform = kind.split(' ')[0] as Platform
    this.#random = seeded(seed)
    const { chance, between, whole } = this.#random
    const randomDelay = () => (chance(0.5) ? 0 : between(0, 30 * minute))
    this.#delays = {
      listMs: randomDelay(),
      statusMs: randomDelay(),
      workMs: chance(0.5) ? between(0, 3 * second) : between(0, 4 * minute),
      losesUploads: chance(0.2),
      failShare: 0.02,
    }
    this.#faultsLeft = whole(0, 5)
    this.#isSlow = slowRun !== undefined
    if (slowRun) {
      const { statusMs, workMs } = slowRun
      this.#delays = { listMs: statusMs, statusMs, workMs, losesUploads: false, failShare: 0 }
      this.#faultsLeft = 0
    }
    this.#ids = {
      user: newId(),
      account: newId(),
      media: Array.from({ length: kind === 'instagram carousel' ? 3 : 1 }, newId),
      targets: Array.from({ length: slowRun?.posts ?? 1 }, newId),
    }
    this.#bytes =
      this.#platform === 'facebook' && kind.endsWith('photo')
        ? 100_000
        : chance(0.85)
          ? 200_000
          : whole(200_000, 23_000_000)
    this.#standIn = standIns[this.#platform]({
      now: context.time.now,
      delays: this.#delays,
      random: this.#random,
      pageId: this.#pageId,
      isValidToken: (token) => this.#validTokens.has(token),
    })
  }

  get trace(): readonly string[] {
    return this.#trace
  }

  #log(what: string): void {
    this.#trace.push(`${new Date(this.#context.time.now()).toISOString().slice(5, 19)} ${what}`)
  }

  async play(): Promise<Outcome> {
    const { time } = this.#context
    time.set(time.now() + 30 * 24 * hour)
    await this.#compose()
    this.#log(
      `${this.#kind}, ${this.#bytes} bytes, lists ${Math.round(this.#delays.listMs / second)} s late, statuses ${Math.round(this.#delays.statusMs / second)} s late`,
    )
    let end: Outcome['end'] = 'open'
    let message = ''
    for (let step = 0; step < 400; step += 1) {
      const rows = await this.#rows()
      const row = rows.filter(isOpen).toSorted((a, b) => nextRunAtMs(a) - nextRunAtMs(b))[0]
      if (row === undefined) {
        const failed = rows.find(({ phase }) => phase === 'failed')
        end = failed === undefined ? 'posted' : failed.unclear ? 'unclear' : 'failed'
        message = failed?.errorMessage ?? ''
        break
      }
      if (row.awaitsAccount) {
        time.set(time.now() + hour)
        await this.#reconnect()
        continue
      }
      time.set(nextRunAtMs(row) + this.#random.between(0, second))
      await this.#work(this.#random.chance(0.5) ? 0 : 1, row.id)
    }
    const wasListed = this.#standIn.isListed()
    this.#log(`ends ${end}: ${message}`)
    if (this.#isSlow) await this.#reconcileAll()
    // Unfinished processing at the network ends.
    time.set(time.now() + 6 * hour)
    const postCount = this.#standIn.postCount()
    const violation = await this.#violationOf(end, postCount, wasListed, message)
    return {
      seed: this.#seed,
      kind: this.#kind,
      end,
      postCount,
      violation,
      trace: this.#trace,
      arrivals: this.#arrivals,
    }
  }

  /** Reconciles posted targets until none can change any more. */
  async #reconcileAll(): Promise<void> {
    const { base, time, worker: workerOf } = this.#context
    for (;;) {
      const row = (await this.#rows()).find(({ reconcileAt }) => reconcileAt !== null)
      if (!row?.reconcileAt) return
      time.set(row.reconcileAt.getTime())
      const worker = workerOf(0)
      const system = workerSystem(base, worker, time, this.#bytes, this.#sendOf(worker))
      await reconcilePosted(system, row.id, new AbortController().signal)
    }
  }

  async #violationOf(end: Outcome['end'], postCount: number, wasListed: boolean, message: string): Promise<string> {
    const expected = this.#ids.targets.length
    if (postCount > expected) return `published ${postCount} times`
    if (end === 'open') return 'did not become final'
    if (end === 'posted') return postCount === expected ? '' : 'reported as posted, but not published'
    const notified = await this.#context.admin.db
      .select({ id: notices.id })
      .from(notices)
      .where(eq(notices.userId, this.#ids.user))
    if (notified.length === 0) return 'failed, but the artist was not notified'
    if (end === 'failed') return postCount === 1 ? `reported as failed (${message}), but published` : `lost: ${message}`
    if (!/\w/.test(message)) return 'unclear without a message'
    return wasListed ? 'reported as unclear, although the network lists it' : ''
  }

  async #rows() {
    const { db } = this.#context.admin
    return await db.select().from(postTargets).where(eq(postTargets.userId, this.#ids.user))
  }

  /** Handles one alarm: a worker publishes the target as far as possible, unless it dies. */
  async #work(which: 0 | 1, target: string): Promise<void> {
    const { base, time } = this.#context
    const worker = this.#context.worker(which)
    worker.nextFault = () => this.#statementFault()
    worker.sleep = async () => await this.#sleep(worker, which, target)
    const system = workerSystem(base, worker, time, this.#bytes, this.#sendOf(worker))
    await Promise.race([publishTarget(system, target, new AbortController().signal), worker.died])
    await worker.untilIdle()
    if (worker.isDead) {
      this.#log(`worker ${which} died`)
      this.#context.time.removeTimers(worker)
    }
  }

  #fault(probability: number): boolean {
    if (this.#faultsLeft <= 0 || !this.#random.chance(probability)) return false
    this.#faultsLeft -= 1
    return true
  }

  #statementFault(): StatementFault {
    if (!this.#fault(0.03)) return 'none'
    const fault = this.#random.pick(['die before', 'die after', 'sleep after'] as const)
    this.#log(`at a statement: ${fault}`)
    return fault
  }

  /** The machine sleeps for two minutes, while the other worker may run. Whether the monotonic clock advances during sleep depends on the system, so both are simulated. */
  async #sleep(worker: SimulatedWorker, which: 0 | 1, target: string): Promise<void> {
    const { time } = this.#context
    this.#log(`worker ${which} sleeps`)
    const before = time.now()
    time.set(before + 2 * minute)
    if (!this.#isNested && this.#random.chance(0.7)) {
      this.#isNested = true
      await this.#work(which === 0 ? 1 : 0, target)
      this.#isNested = false
    }
    if (this.#random.chance(0.5)) worker.sleptMs += time.now() - before
    this.#log(`worker ${which} wakes`)
  }

  /** The transport. It takes time and loses requests and answers; during it workers die and logins are invalidated. */
  #sendOf(worker: SimulatedWorker): Send {
    const { time } = this.#context
    const random = this.#random
    return async (url, init) => {
      if (worker.isDead) return await new Promise<never>(() => {})
      const lost = () => new TypeError('fetch failed')
      await time.pass(random.between(20, 1000), worker, worker.untilIdle)
      if (this.#fault(0.06)) await this.#disturb()
      const request = await readRequest(url, init)
      const name = `${request.method} ${request.host}${request.path.slice(0, 40)} ${request.headers.get('content-range') ?? ''}`
      await time.pass(random.between(20, 1000) + request.bytes / 500, worker, worker.untilIdle)
      const fate = this.#fault(0.12)
        ? random.pick([
            'lost before',
            'lost after',
            'late after',
            'error before',
            'error after',
            'die before',
            'die after',
          ] as const)
        : 'delivered'
      if (fate !== 'delivered') this.#log(`${name}: ${fate}`)
      if (fate === 'die before') return await worker.die()
      if (fate === 'lost before') throw lost()
      if (fate === 'error before') return errorOf(this.#platform, random)
      init.signal?.throwIfAborted()
      this.#arrivals.push({
        at: time.now(),
        request: `${request.method} ${request.path}`,
        polledId: this.#standIn.polledId(request),
      })
      const answer = this.#answerRefresh(request) ?? this.#standIn.answer(request)
      if (fate === 'delivered') this.#log(`${name}: ${answer.status}`)
      if (fate === 'die after') return await worker.die()
      if (fate === 'lost after') throw lost()
      if (fate === 'late after') {
        await time.pass(minute + random.between(0, minute), worker, worker.untilIdle)
        throw new DOMException('too late', 'TimeoutError')
      }
      if (fate === 'error after') return errorOf(this.#platform, random)
      await time.pass(random.between(20, 300), worker, worker.untilIdle)
      return toResponse(answer)
    }
  }

  async #disturb(): Promise<void> {
    const at = this.#context.time.now()
    if (this.#delays.losesUploads && this.#random.chance(0.4)) {
      this.#log('the upload is lost')
      this.#standIn.loseUploads()
      return
    }
    // A login that is invalidated twice within an hour makes the post fail, by the product's rules.
    if (at - this.#invalidatedAt < hour) return
    this.#invalidatedAt = at
    if (this.#random.chance(0.5)) {
      await this.#reconnect()
    } else {
      this.#log('the access token expires')
      this.#validTokens.clear()
    }
  }

  /** Answers a token refresh with a new pair; undefined for other requests. At TikTok the old refresh token becomes invalid. */
  #answerRefresh(request: StandInRequest): StandInAnswer | undefined {
    if (!/\/(oauth\/token|accessToken|token|refresh_access_token)\/?$/.test(request.path)) return undefined
    const given = textOf(request.fields['refresh_token'])
    if (this.#platform === 'instagram') return graphError(400, 190, 463)
    if (given !== this.#refreshToken) return { status: 400, json: { error: 'invalid_grant', error_description: 'no' } }
    const access = this.#newToken()
    if (this.#platform === 'tiktok') this.#refreshToken = `r${randomBytes(9).toString('hex')}`
    return {
      status: 200,
      json: {
        access_token: access,
        refresh_token: this.#refreshToken,
        expires_in: 30 * 24 * 3600,
        refresh_expires_in: 180 * 24 * 3600,
        scope: 'all',
        open_id: this.#pageId,
      },
    }
  }

  #newToken(): string {
    const token = `t${randomBytes(12).toString('hex')}`
    this.#validTokens.clear()
    this.#validTokens.add(token)
    return token
  }

  /** The artist reconnects during a run, which invalidates the previous tokens. */
  async #reconnect(): Promise<void> {
    this.#log('the artist reconnects')
    const { admin, base, time } = this.#context
    const access = this.#newToken()
    this.#refreshToken = `r${randomBytes(9).toString('hex')}`
    const keys = base.config
    const login = this.#login()
    const at = new Date(time.now())
    await retryOnDeadlock(admin.db, async (tx) => {
      await tx
        .update(socialAccounts)
        .set({
          accessToken: sealToken(keys, login, 'access_token', access),
          refreshToken: sealToken(keys, login, 'refresh_token', this.#refreshToken),
          accessExpiresAt: this.#expiry(),
          refreshedAt: at,
          health: 'ok',
        })
        .where(eq(socialAccounts.id, this.#ids.account))
      await tx
        .update(socialPages)
        .set({ accessToken: sealPageToken(keys, login, this.#pageId, access) })
        .where(and(eq(socialPages.accountId, this.#ids.account), eq(socialPages.pageId, this.#pageId)))
      await resumeTargets(
        { ...base, now: () => at, jobs: { ...base.jobs, send: async () => await Promise.resolve() } },
        tx,
        { owner: ownerScope(this.#ids.user), accountId: this.#ids.account },
      )
    })
  }

  #login() {
    return { userId: this.#ids.user, platform: this.#platform, providerUserId: this.#pageId }
  }

  #expiry(): Date | null {
    return this.#platform === 'facebook' ? null : new Date(this.#context.time.now() + 60 * 24 * hour)
  }

  /** Inserts an artist, an account, and posts for one page that are due now and were planned an hour ago. */
  async #compose(): Promise<void> {
    const { admin, base, time } = this.#context
    const accessToken = this.#newToken()
    this.#refreshToken = `r${randomBytes(9).toString('hex')}`
    await insertDuePosts(admin, base.config, {
      ids: this.#ids,
      kind: this.#kind,
      platform: this.#platform,
      pageId: this.#pageId,
      bytes: this.#bytes,
      now: time.now(),
      login: this.#login(),
      accessToken,
      refreshToken: this.#refreshToken,
      accessExpiresAt: this.#expiry(),
    })
  }
}
