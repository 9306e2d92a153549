import { type SocialAccount } from '@flashsheet/contracts/social/schema'
import { oauthStates, socialAccounts, socialPages } from '@flashsheet/db/schema/social'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import { startSandbox } from '@flashsheet/sandbox'
import { eq } from 'drizzle-orm'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import type { System } from '../../core/context.ts'
import { createLogger } from '../../core/log.ts'
import { ownerScope } from '../../core/scope.ts'
import { openPageToken, openToken } from '../../features/social/service/token-encryption.ts'
import { startWorker } from '../../worker.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { fault } from '../posting.ts'
import type { Random } from '../random.ts'
import { openSystem } from '../system.ts'

/** A callback that a network sent. The simulation delivers it later, twice or never. */
export type Callback = { path: 'metaDeauthorize' | 'metaDeletion' | 'tiktok'; body: string; at: number }

type Work = (payload: unknown, stopping: AbortSignal, signal: AbortSignal) => Promise<void>
/** The product's own job handlers and repeated tasks, in one process. */
export type Worker = { system: System; handlers: Map<string, Work>; tasks: Map<string, Work> }

export type World = {
  app: TestApp
  workers: readonly Worker[]
  dataDir: string
  callbacks: Callback[]
  /** When a job may run, on the simulation's clock: the database has its own. */
  dueOf: Map<string, number>
  stop: () => Promise<void>
}

/** A process that works on jobs only when the simulation tells it to. */
async function openWorker(system: System): Promise<Worker> {
  const handlers = new Map<string, Work>()
  const tasks = new Map<string, Work>()
  const jobs = {
    ...system.jobs,
    work: async (queue: { name: string }, _options: unknown, work: Work) => void handlers.set(queue.name, work),
    every: (_ms: number, name: string, task: (stopping: AbortSignal) => Promise<void>) =>
      void tasks.set(name, async (_payload, stopping) => await task(stopping)),
    schedule: async ({ name }: { name: string }) => void tasks.set(name, handlers.get(name)!),
  }
  const idle = { ...system, jobs } as unknown as System
  await startWorker(idle)
  return { system: idle, handlers, tasks }
}

export async function openWorld(): Promise<World> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'flashsheet-connections-'))
  const callbacks: Callback[] = []
  let now = () => Date.now()
  const receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      callbacks.push({ path: request.url?.slice(1) as Callback['path'], body, at: now() })
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve))
  const address = (name: Callback['path']) => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${name}`
  const sandbox = await startSandbox({
    port: 0,
    dataDir,
    processingMs: 0,
    now: () => now(),
    callbacks: {
      tiktok: address('tiktok'),
      metaDeauthorize: address('metaDeauthorize'),
      metaDeletion: address('metaDeletion'),
    },
  })
  const env = { SANDBOX_PORT: String(sandbox.port), LOG_LEVEL: 'silent' }
  const web = await startTestApp({ role: 'web', env, log: createLogger('silent'), startAt: '2027-03-01T10:00:00Z' })
  now = () => web.clock.now().getTime()
  const app = { ...web, sandboxUrl: sandbox.url }
  mkdirSync(path.join(web.dataDir, 'sandbox'), { recursive: true })
  writeFileSync(path.join(web.dataDir, 'sandbox', 'smtp-port'), String(sandbox.smtpPort))
  const opened = [await openSystem(app), await openSystem(app)]
  const workers = await Promise.all(opened.map(async ({ system }) => await openWorker(system)))
  return {
    app,
    workers,
    dataDir,
    callbacks,
    dueOf: new Map(),
    async stop() {
      for (const { close } of opened) await close()
      await web.stop()
      await sandbox.stop()
      receiver.close().closeAllConnections()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

type Entity = Record<string, unknown>
type State = Record<string, Record<string, Record<string, Entity>>>

/** What the networks of the sandbox hold, as it is on its disk. */
export function networkState({ dataDir }: Pick<World, 'dataDir'>): State {
  const state: State = {}
  const services = ['facebook', 'instagram', 'tiktok', 'google', 'linkedin']
  for (const line of readFileSync(path.join(dataDir, 'state.jsonl'), 'utf8').split('\n')) {
    if (!services.some((service) => line.startsWith(`["${service}"`))) continue
    const [service, name, key, value] = JSON.parse(line) as [string, string, string | null, Entity | undefined]
    const collections = (state[service] ??= {})
    if (key === null) collections[name] = { ...(value as Record<string, Entity>) }
    else if (value === undefined) delete collections[name]?.[key]
    else (collections[name] ??= {})[key] = value
  }
  return state
}

/**
 * What a token is worth at its network. `works`: it is accepted, or can be refreshed; `partly`: only until its access
 * token expires. `isGranted`: the person's permission, which only a revocation ends.
 */
export type Worth = {
  works: 'yes' | 'partly' | 'no'
  isGranted: boolean
  /** The permission; Instagram has none but its tokens. */
  grant: string
  person: string
}

type Row = typeof socialAccounts.$inferSelect
type PageRow = typeof socialPages.$inferSelect
export type StoredAccount = Row & { pages: PageRow[]; worth: Worth; plain: string[] }

const nothing: Worth = { works: 'no', isGranted: false, grant: '', person: '' }

type Token = { grant: string; accountId: string; pageId: string; dead: string; expiresAt?: number; spent?: boolean }
type Grant = {
  revoked: boolean
  refreshUntil?: number
  userId?: string
  openId?: string
  identityId?: string
  member?: string
}

function worthOf(state: State, row: Row, pages: PageRow[], open: (token: string) => string, now: number): Worth {
  const service = row.platform === 'youtube' ? 'google' : row.platform
  const find = (name: string, key = '') => state[service]?.[name]?.[key] as unknown
  const token = (name: string, value: string) => find(name, value) as Token | undefined
  const isOpen = (one: Token | undefined) => one !== undefined && Number(one.expiresAt) > now
  const access = open('access')
  if (row.platform === 'instagram') {
    const own = token('tokens', access)
    const isGranted = own?.dead === '' && isOpen(own)
    return own ? { works: isGranted ? 'yes' : 'no', isGranted, grant: access, person: own.accountId } : nothing
  }
  const isFacebook = row.platform === 'facebook'
  const own = token(isFacebook ? 'tokens' : 'access', access)
  const renewing = token('refresh', open('refresh'))
  const id = own?.grant ?? renewing?.grant
  const grant = find('grants', id) as Grant | undefined
  if (!grant || !id) return nothing
  const isPageOpen = ({ pageId }: PageRow) => {
    const page = token('tokens', open(pageId))
    return page?.dead === '' && page.pageId === pageId && page.grant === id
  }
  const isRenewable = isFacebook
    ? pages.every(isPageOpen)
    : renewing !== undefined && renewing.spent !== true && (grant.refreshUntil ?? Infinity) > now
  const isUsable = isRenewable || (!isFacebook && isOpen(own))
  const isLasting = isRenewable || open('refresh') === ''
  return {
    works: grant.revoked || !isUsable ? 'no' : isLasting ? 'yes' : 'partly',
    isGranted: !grant.revoked,
    grant: id,
    person: grant.userId ?? grant.openId ?? grant.identityId ?? grant.member ?? '',
  }
}

/** Every stored account, with what its tokens are worth. Throws if a token cannot be decrypted in its place. */
export async function storedAccounts(world: World): Promise<StoredAccount[]> {
  const { db } = world.app.client
  const { config } = world.app.running
  const [rows, pages] = [await db.select().from(socialAccounts), await db.select().from(socialPages)]
  const state = networkState(world)
  return rows.map((row) => {
    const own = pages.filter((page) => page.accountId === row.id)
    const plain: Record<string, string> = {
      access: openToken(config, row, 'access_token', row.accessToken),
      refresh: row.refreshToken === null ? '' : openToken(config, row, 'refresh_token', row.refreshToken),
    }
    for (const page of own) plain[page.pageId] = openPageToken(config, row, page) ?? ''
    const shown = own.filter((page) => page.removedAt === null)
    const worth = worthOf(state, row, shown, (name) => plain[name] ?? '', world.app.clock.now().getTime())
    return { ...row, pages: shown, worth, plain: Object.values(plain).filter(Boolean) }
  })
}

export const openStates = async ({ app }: World) => await app.client.db.select().from(oauthStates)

/** Every token that any network has issued. */
export function issuedTokens(world: World): string[] {
  const state = networkState(world)
  return Object.values(state).flatMap((service) =>
    ['tokens', 'access', 'refresh'].flatMap((name) => Object.keys(service[name] ?? {})),
  )
}

type Job = { id: string; name: string; data: unknown; delay: number }
const never = new AbortController().signal

/** The jobs that are due by the simulation's clock. */
async function dueJobs({ app, dueOf }: World, except: readonly string[]): Promise<Job[]> {
  const rows = (await app.client.sql`
    select id, name, data, extract(epoch from start_after - created_on) * 1000 as delay from pgboss.job
    where state in ('created', 'retry') order by created_on, id`) as unknown as Job[]
  const now = app.clock.now().getTime()
  return rows.filter(({ id, name, delay }) => {
    const due = dueOf.get(id) ?? now + Math.max(0, Number(delay))
    dueOf.set(id, due)
    return due <= now && !except.includes(name) && !name.startsWith('__')
  })
}

/** Runs a job, sometimes in two processes at once. It is removed once one of them has succeeded, as in the queue. */
async function runJob({ app, workers }: World, random: Random, { id, name, data }: Job): Promise<string | undefined> {
  const processes = random.oneIn(5) ? workers : [random.pick(workers)]
  const runs = await Promise.allSettled(
    processes.map(async (one) => await one.handlers.get(name)?.(data, never, never)),
  )
  const failure = runs.find((run) => run.status === 'rejected')
  if (runs.every((run) => run.status === 'rejected')) return `${name}: ${String(failure?.reason)}`
  await app.client.sql`delete from pgboss.job where id = ${id}`
  return undefined
}

/** Runs what is due, up to three jobs at once. Returns how many ran and why some failed. */
export async function work(world: World, random: Random, except: readonly string[] = []) {
  const jobs = await dueJobs(world, except)
  const failures: string[] = []
  const count = jobs.length
  while (jobs.length > 0) {
    const batch = jobs.splice(0, random.whole(1, 3))
    const reasons = await Promise.all(batch.map(async (job) => await runJob(world, random, job)))
    failures.push(...reasons.filter((reason) => reason !== undefined))
  }
  return { count, failures }
}

/** Runs scheduled and repeated tasks, sometimes in two processes at once. */
export async function runTasks({ workers }: World, random: Random, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const processes = random.oneIn(4) ? workers : [random.pick(workers)]
    // As the queue repeats a task: on a slow machine it may lose its lease.
    await Promise.all(
      processes.map(async ({ tasks }) => {
        const run = async () => await tasks.get(name)?.({}, never, never)
        await run().catch(run)
      }),
    )
  }
}

export const pageIdsOf = ({ pages }: SocialAccount | StoredAccount): string[] =>
  pages.map(({ pageId }) => pageId).toSorted()

/** An artist's subscription ends, or begins again. */
export async function changePlan({ app, workers }: World, artistId: string, hasPlan: boolean): Promise<void> {
  const { system } = workers[0]!
  await system.db.transaction(async (tx) => {
    const status = hasPlan ? 'active' : 'canceled'
    await tx.update(subscriptions).set({ status, mrr: 0 }).where(eq(subscriptions.userId, artistId))
    const hook = hasPlan ? 'subscriptionResumed' : 'subscriptionStopped'
    await system.hooks.run(hook, system, tx, { owner: ownerScope(artistId) })
  })
  await app.running.caughtUp()
}

const tokenCalls: Record<string, string> = {
  tiktok: 'oauth/token',
  youtube: '/token',
  linkedin: 'accessToken',
  instagram: 'access_token',
  facebook: 'access_token',
}
const faultKinds = [
  'status',
  'status-after-commit',
  'drop',
  'drop-after-commit',
  'slow',
  'expire-token',
  'revoke-token',
]

/** Makes the next requests to a network slow, refused or lost, before or after their effect; or ends a token. */
export async function breakNetwork({ app }: World, { pick, oneIn }: Random): Promise<string> {
  const service = pick(Object.keys(tokenCalls))
  const kind = pick(faultKinds)
  const path = oneIn(2) ? tokenCalls[service]! : pick(['', 'revoke|permissions'])
  const options = { skip: pick([0, 0, 1, 3]), times: pick([1, 1, 2, 5]), status: pick([500, 503, 429]) }
  await fault(app, service, kind, path, { ...options, delayMs: kind === 'slow' ? 200 : 0 })
  return `${service}: ${kind} ${path}, after ${options.skip}, ${options.times} times`
}
