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
import { randomOf, type Random } from './random.ts'
import { graphError, type Ask, type StandInDelays, type StandInAnswer, type StandIn } from './stand-in.ts'
import { facebookStandIn } from './stand-ins/facebook.ts'
import { instagramStandIn } from './stand-ins/instagram.ts'
import { linkedinStandIn } from './stand-ins/linkedin.ts'
import { tiktokStandIn } from './stand-ins/tiktok.ts'
import { youtubeStandIn } from './stand-ins/youtube.ts'
import { laneDatabaseUrl, VirtualTime } from './virtual-time.ts'
import { errorOf, readAsk, toResponse } from './wire.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** In real time, of which a post takes a second or two. */
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

/** Posts of one artist without faults, at a slow network. */
export type Slowness = { posts: number; workMs: number; statusMs: number }

/** A request as the network received it. `polled`: the object whose state it asked for. */
export type Arrival = { at: number; request: string; polled: string | undefined }

/** The result of one run. `wrong` names the broken promise; empty if there is none. */
export type Outcome = {
  seed: number
  kind: Kind
  end: 'posted' | 'failed' | 'unclear' | 'open'
  shown: number
  wrong: string
  story: string[]
  arrivals: Arrival[]
}

const standIns = {
  tiktok: tiktokStandIn,
  youtube: youtubeStandIn,
  instagram: instagramStandIn,
  facebook: facebookStandIn,
  linkedin: linkedinStandIn,
}

/**
 * Publishes posts one after the other in its own simulated time, by the product's real adapters and core, at a network with delays and faults
 * and with workers that die and sleep. `base` is a running system whose database has the virtual clock (`makeVirtualClock`).
 */
export class Lane {
  readonly #base: System
  readonly #admin: DbClient
  readonly #url: string
  readonly #time: VirtualTime
  readonly #lives: [SimulatedWorker | undefined, SimulatedWorker | undefined] = [undefined, undefined]

  constructor(base: System, admin: DbClient, lane: number, startAt: number) {
    this.#base = base
    this.#admin = admin
    this.#url = laneDatabaseUrl(admin.url, lane)
    this.#time = new VirtualTime(lane, admin.sql, startAt)
  }

  /** Throws, with the trace so far, when the post makes no progress. */
  async publish(seed: number, kind: Kind, slowness?: Slowness): Promise<Outcome> {
    const post = new OnePost(
      { base: this.#base, admin: this.#admin, time: this.#time, worker: (which) => this.#worker(which) },
      seed,
      kind,
      slowness,
    )
    let timer: NodeJS.Timeout | undefined
    const stalled = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error(`seed ${seed}, ${kind}: stalled\n  ${post.story.join('\n  ')}`)),
        stallTimeoutMs,
      )
    })
    try {
      return await Promise.race([post.play(), stalled])
    } finally {
      clearTimeout(timer)
    }
  }

  async stop(): Promise<void> {
    for (const life of this.#lives) if (life && !life.isDead) await life.client.close()
  }

  /** The worker, or a new one in place of one that died. */
  #worker(which: 0 | 1): SimulatedWorker {
    const known = this.#lives[which]
    if (known && !known.isDead) return known
    return (this.#lives[which] = new SimulatedWorker(this.#url, this.#time.writeTime))
  }
}

type Row = typeof postTargets.$inferSelect
const isOpen = ({ phase }: Row) => phase !== 'posted' && phase !== 'failed'
const wakesAt = ({ dueAt, leaseUntil }: Row) =>
  Math.max(dueAt.getTime(), leaseUntil === null ? 0 : leaseUntil.getTime() + 1)

type LaneContext = { base: System; admin: DbClient; time: VirtualTime; worker: (which: 0 | 1) => SimulatedWorker }

/** One run: a post, or with `Slowness` several posts of one artist. */
class OnePost {
  readonly #place: LaneContext
  readonly #seed: number
  readonly #kind: Kind
  readonly #platform: Platform
  readonly #random: Random
  readonly #delays: StandInDelays
  readonly #standIn: StandIn
  readonly #story: string[] = []
  readonly #arrivals: Arrival[] = []
  readonly #isSlow: boolean
  readonly #bytes: number
  readonly #pageId = `p${randomBytes(8).toString('hex')}`
  readonly #alive = new Set<string>()
  #refreshToken = ''
  readonly #ids: { user: string; account: string; media: string[]; targets: string[] }
  #faultsLeft: number
  #isNested = false
  /** When the login was last invalidated. */
  #invalidatedAt = 0

  constructor(place: LaneContext, seed: number, kind: Kind, slowness?: Slowness) {
    this.#place = place
    this.#seed = seed
    this.#kind = kind
    this.#platform = kind.split(' ')[0] as Platform
    this.#random = randomOf(seed)
    const { chance, between, whole } = this.#random
    const late = () => (chance(0.5) ? 0 : between(0, 30 * minute))
    this.#delays = {
      listMs: late(),
      statusMs: late(),
      workMs: chance(0.5) ? between(0, 3 * second) : between(0, 4 * minute),
      forgets: chance(0.2),
      failShare: 0.02,
    }
    this.#faultsLeft = whole(0, 5)
    this.#isSlow = slowness !== undefined
    if (slowness) {
      const { statusMs, workMs } = slowness
      this.#delays = { listMs: statusMs, statusMs, workMs, forgets: false, failShare: 0 }
      this.#faultsLeft = 0
    }
    this.#ids = {
      user: newId(),
      account: newId(),
      media: Array.from({ length: kind === 'instagram carousel' ? 3 : 1 }, newId),
      targets: Array.from({ length: slowness?.posts ?? 1 }, newId),
    }
    this.#bytes =
      this.#platform === 'facebook' && kind.endsWith('photo')
        ? 100_000
        : chance(0.85)
          ? 200_000
          : whole(200_000, 23_000_000)
    this.#standIn = standIns[this.#platform]({
      now: place.time.now,
      delays: this.#delays,
      random: this.#random,
      pageId: this.#pageId,
      isAlive: (token) => this.#alive.has(token),
    })
  }

  get story(): readonly string[] {
    return this.#story
  }

  #trace(what: string): void {
    this.#story.push(`${new Date(this.#place.time.now()).toISOString().slice(5, 19)} ${what}`)
  }

  async play(): Promise<Outcome> {
    const { time } = this.#place
    time.set(time.now() + 30 * 24 * hour)
    await this.#compose()
    this.#trace(
      `${this.#kind}, ${this.#bytes} bytes, lists ${Math.round(this.#delays.listMs / second)} s late, statuses ${Math.round(this.#delays.statusMs / second)} s late`,
    )
    let end: Outcome['end'] = 'open'
    let why = ''
    for (let step = 0; step < 400; step += 1) {
      const rows = await this.#rows()
      const row = rows.filter(isOpen).toSorted((a, b) => wakesAt(a) - wakesAt(b))[0]
      if (row === undefined) {
        const worst = rows.find(({ phase }) => phase === 'failed')
        end = worst === undefined ? 'posted' : worst.unclear ? 'unclear' : 'failed'
        why = worst?.errorMessage ?? ''
        break
      }
      if (row.awaitsAccount) {
        time.set(time.now() + hour)
        await this.#reconnect()
        continue
      }
      time.set(wakesAt(row) + this.#random.between(0, second))
      await this.#work(this.#random.chance(0.5) ? 0 : 1, row.id)
    }
    const knewThen = this.#standIn.isListed()
    this.#trace(`ends ${end}: ${why}`)
    if (this.#isSlow) await this.#reconcileAll()
    // Processing under way finishes.
    time.set(time.now() + 6 * hour)
    const shown = this.#standIn.shown()
    const wrong = await this.#judge(end, shown, knewThen, why)
    return {
      seed: this.#seed,
      kind: this.#kind,
      end,
      shown,
      wrong,
      story: this.#story,
      arrivals: this.#arrivals,
    }
  }

  /** Reconciles posted targets until none can change any more. */
  async #reconcileAll(): Promise<void> {
    const { base, time, worker } = this.#place
    for (;;) {
      const row = (await this.#rows()).find(({ reconcileAt }) => reconcileAt !== null)
      if (!row?.reconcileAt) return
      time.set(row.reconcileAt.getTime())
      const life = worker(0)
      const system = workerSystem(base, life, time, this.#bytes, this.#sendOf(life))
      await reconcilePosted(system, row.id, new AbortController().signal)
    }
  }

  async #judge(end: Outcome['end'], shown: number, knewThen: boolean, why: string): Promise<string> {
    const wanted = this.#ids.targets.length
    if (shown > wanted) return `${shown} times there`
    if (end === 'open') return 'never came to an end'
    if (end === 'posted') return shown === wanted ? '' : 'reported as posted, and not there'
    const notified = await this.#place.admin.db
      .select({ id: notices.id })
      .from(notices)
      .where(eq(notices.userId, this.#ids.user))
    if (notified.length === 0) return 'failed, and the artist was not notified'
    if (end === 'failed') return shown === 1 ? `reported as failed (${why}), and there` : `lost: ${why}`
    if (!/\w/.test(why)) return 'unclear without a message'
    return knewThen ? 'reported as unclear, though the network lists it' : ''
  }

  async #rows() {
    const { db } = this.#place.admin
    return await db.select().from(postTargets).where(eq(postTargets.userId, this.#ids.user))
  }

  /** One alarm: a worker publishes the target as far as possible, unless it dies. */
  async #work(which: 0 | 1, target: string): Promise<void> {
    const { base, time } = this.#place
    const life = this.#place.worker(which)
    life.nextFault = () => this.#statementFault()
    life.sleep = async () => await this.#sleep(life, which, target)
    const system = workerSystem(base, life, time, this.#bytes, this.#sendOf(life))
    await Promise.race([publishTarget(system, target, new AbortController().signal), life.ended])
    await life.quiet()
    if (life.isDead) {
      this.#trace(`worker ${which} died`)
      this.#place.time.forget(life)
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
    this.#trace(`at a statement: ${fault}`)
    return fault
  }

  /** The machine sleeps for two minutes, while the other worker may run. Whether the monotonic clock goes on then depends on the system, so both happen. */
  async #sleep(life: SimulatedWorker, which: 0 | 1, target: string): Promise<void> {
    const { time } = this.#place
    this.#trace(`worker ${which} sleeps`)
    const before = time.now()
    time.set(before + 2 * minute)
    if (!this.#isNested && this.#random.chance(0.7)) {
      this.#isNested = true
      await this.#work(which === 0 ? 1 : 0, target)
      this.#isNested = false
    }
    if (this.#random.chance(0.5)) life.sleptMs += time.now() - before
    this.#trace(`worker ${which} wakes`)
  }

  /** The transport: it takes time, loses requests and answers, and is where workers die and logins are invalidated. */
  #sendOf(life: SimulatedWorker): Send {
    const { time } = this.#place
    const { random } = { random: this.#random }
    return async (url, init) => {
      if (life.isDead) return await new Promise<never>(() => {})
      const lost = () => new TypeError('fetch failed')
      await time.pass(random.between(20, 1000), life, life.quiet)
      if (this.#fault(0.06)) await this.#disturb()
      const ask = await readAsk(url, init)
      const name = `${ask.method} ${ask.host}${ask.path.slice(0, 40)} ${ask.headers.get('content-range') ?? ''}`
      await time.pass(random.between(20, 1000) + ask.bytes / 500, life, life.quiet)
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
        : 'well'
      if (fate !== 'well') this.#trace(`${name}: ${fate}`)
      if (fate === 'die before') return await life.die()
      if (fate === 'lost before') throw lost()
      if (fate === 'error before') return errorOf(this.#platform, random)
      init.signal?.throwIfAborted()
      this.#arrivals.push({ at: time.now(), request: `${ask.method} ${ask.path}`, polled: this.#standIn.polled(ask) })
      const say = this.#answerRefresh(ask) ?? this.#standIn.answer(ask)
      if (fate === 'well') this.#trace(`${name}: ${say.status}`)
      if (fate === 'die after') return await life.die()
      if (fate === 'lost after') throw lost()
      if (fate === 'late after') {
        await time.pass(minute + random.between(0, minute), life, life.quiet)
        throw new DOMException('too late', 'TimeoutError')
      }
      if (fate === 'error after') return errorOf(this.#platform, random)
      await time.pass(random.between(20, 300), life, life.quiet)
      return toResponse(say)
    }
  }

  async #disturb(): Promise<void> {
    const at = this.#place.time.now()
    if (this.#delays.forgets && this.#random.chance(0.4)) {
      this.#trace('the upload is forgotten')
      this.#standIn.forget()
      return
    }
    // A login that is invalidated twice within an hour makes the post fail, by the product's rules.
    if (at - this.#invalidatedAt < hour) return
    this.#invalidatedAt = at
    if (this.#random.chance(0.5)) {
      await this.#reconnect()
    } else {
      this.#trace('the access token ends')
      this.#alive.clear()
    }
  }

  /** Answers a token refresh with a new pair; undefined for other requests. At TikTok the old refresh token becomes invalid. */
  #answerRefresh(ask: Ask): StandInAnswer | undefined {
    if (!/\/(oauth\/token|accessToken|token|refresh_access_token)\/?$/.test(ask.path)) return undefined
    const given = textOf(ask.fields['refresh_token'])
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
    this.#alive.clear()
    this.#alive.add(token)
    return token
  }

  /** The artist reconnects while a run is under way, which invalidates the former tokens. */
  async #reconnect(): Promise<void> {
    this.#trace('the artist connects again')
    const { admin, base, time } = this.#place
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
    return this.#platform === 'facebook' ? null : new Date(this.#place.time.now() + 60 * 24 * hour)
  }

  /** Inserts an artist, an account, and posts for one page that are due now and were planned an hour ago. */
  async #compose(): Promise<void> {
    const { admin, base, time } = this.#place
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
