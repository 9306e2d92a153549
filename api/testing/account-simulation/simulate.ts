import { users } from '@flashsheet/db/schema/auth'
import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { startSandbox } from '@flashsheet/sandbox'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { vi } from 'vitest'
import { ownerScope } from '../../core/scope.ts'
import { retryStuckMails, sendStoredMail } from '../../core/mail.ts'
import type { System } from '../../core/context.ts'
import { deleteExpiredAccess } from '../../features/assistants/service/grants.ts'
import { cleanUpAuth } from '../../features/auth/service/clean-up.ts'
import { mailRequestedLink } from '../../features/auth/service/links.ts'
import { closeAccount, closeExpiredAccounts, purgeAccount } from '../../features/auth/service/purge.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { seeded } from '../random.ts'
import { control } from '../sandbox.ts'
import { openSystem } from '../system.ts'
import {
  bindUsers,
  checkCredentials,
  checkNothingLeft,
  checkOwners,
  isSame,
  linesOf,
  readMails,
  readRows,
  restOf,
} from './checks.ts'
import { day, hour, minute, type State } from './access.ts'
import { Accounts, adminEmail } from './model.ts'
import { randomOperation, recoverySteps } from './operations.ts'
import { cookiesOf, fresh, openWorld, type Operation, type Run, type Sent } from './world.ts'

class Violation extends Error {}

/** Plays seeds. Returns the first difference of each seed that has one, with the steps before it. */
export async function simulateAccounts(firstSeed: number, count: number, steps = 40): Promise<string[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'flashsheet-accounts-'))
  const sandbox = await startSandbox({ port: 0, dataDir, processingMs: 0, plans: [], now: () => Date.now() })
  const env = {
    SANDBOX_PORT: String(sandbox.port),
    SMTP_URL: `smtp://localhost:${sandbox.smtpPort}`,
    MAIL_FROM: 'hello@flashsheet.example',
    ADMIN_EMAIL: adminEmail,
    LOG_LEVEL: 'silent',
  }
  const app = { ...(await startTestApp({ role: 'web', env })), sandboxUrl: sandbox.url }
  const opened = [await openSystem(app), await openSystem(app)]
  const violations: string[] = []
  // Sessions expire by the machine's clock, so the whole process has the simulation's time.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-03-01T09:00:00Z') })
  try {
    for (let seed = firstSeed; seed < firstSeed + count; seed++) {
      const trace: string[] = []
      const violation = await play(
        app,
        opened.map(({ system }) => system),
        seed,
        trace,
        steps,
      )
      if (violation) violations.push(`seed ${seed}: ${violation}\n  ${trace.slice(-40).join('\n  ')}`)
    }
  } finally {
    vi.useRealTimers()
    for (const one of opened) await one.close()
    await app.stop()
    await sandbox.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return violations
}

const inspect = (what: unknown) => (typeof what === 'string' ? what : JSON.stringify(what, null, 1))

async function play(
  app: TestApp,
  systems: readonly System[],
  seed: number,
  trace: string[],
  steps: number,
): Promise<string | undefined> {
  const random = seeded(seed)
  const seenMails = (await control<unknown[]>(app, 'GET', '/mail')).length
  const run = await openWorld(app, systems, random, seenMails, (...texts) => {
    throw new Violation(texts.map(inspect).join('\n'))
  })
  try {
    for (let nth = 0; nth < steps; nth++) {
      await passTime(run, trace)
      const operations: Operation[] = []
      for (let left = random.pick([1, 1, 1, 2, 3]); left > 0; left--) operations.push(await randomOperation(run))
      const [first] = operations
      if (first && operations.length < 3 && random.oneIn(6)) operations.push(first)
      if (random.oneIn(4)) {
        const job = await linkJob(run)
        if (job) operations.push(job)
      }
      await step(run, operations, trace)
      if (first && random.oneIn(8)) await step(run, [first], trace)
      if (random.chance(0.6)) await settle(run, trace)
      await checkCredentials(run, true)
    }
    await settle(run, trace)
    await checkCredentials(run, false)
    await recover(run, trace)
    await deleteAll(run, trace)
  } catch (error) {
    if (error instanceof Violation) return error.message
    throw error
  } finally {
    await app.client.db.delete(users)
    await app.client.sql`delete from pgboss.job`
    await app.client.sql`delete from link_requests`
    await app.client.sql`delete from assistant_clients`
    await app.client.sql`delete from mails`
  }
  return undefined
}

/** Owners who forgot their password get into their accounts. */
async function recover(run: Run, trace: string[]): Promise<void> {
  const owners = run.state.users.filter((one) => one.isVerified && one.isActive)
  for (const user of owners.slice(0, 2))
    for (const next of recoverySteps(run, user)) {
      const [answer] = await step(run, [next()], trace)
      run.check(answer === '200', 'an owner is locked out', user, answer)
      await settle(run, trace)
    }
}

/** Deletes every account, and what expires by itself. Then nothing of anybody is left. */
async function deleteAll(run: Run, trace: string[]): Promise<void> {
  const [system] = run.systems
  for (const { key } of run.state.users) {
    const owner = ownerScope(run.values.get(key) ?? '')
    await retryOnDeadlock(system!.db, async (tx) => await closeAccount(system!, tx, owner))
    new Accounts(run.state, run.now).close(key)
  }
  await settle(run, trace)
  await checkCredentials(run, true)
  setNow(run, run.now + 32 * day)
  await runScheduledJobs(run, trace)
  await checkNothingLeft(run)
}

const setNow = (run: Run, now: number) => {
  run.now = now
  vi.setSystemTime(now)
}

async function passTime(run: Run, trace: string[]): Promise<void> {
  const { random } = run
  const long = random.oneIn(8)
  const isCodeOpen = run.state.codes.some((one) => !one.isUsed && one.expiresAt > run.now)
  const later = long
    ? random.pick([59 * minute, 61 * minute, 23 * hour, 25 * hour, 16 * day, 31 * day])
    : random.pick(isCodeOpen ? [0, 1000, 20_000] : [0, 1000, 20_000, 31_000, 61_000, 11 * minute])
  setNow(run, run.now + later + 1000)
  if (long && random.oneIn(2)) await runScheduledJobs(run, trace)
}

/** Runs the scheduled jobs, in one process or two at once. */
async function runScheduledJobs(run: Run, trace: string[]): Promise<void> {
  const { systems, random, state, now, app } = run
  trace.push(`${new Date(now).toISOString()} scheduled jobs`)
  const both = random.oneIn(3) ? systems : systems.slice(0, 1)
  for (const task of [cleanUpAuth, closeExpiredAccounts, deleteExpiredAccess, retryStuckMails])
    await Promise.all(both.map(async (system) => await task(system)))
  await systems[0]!.sessions.deleteExpired()
  const m = new Accounts(state, now)
  m.cleanUp()
  m.closeExpired()
  await app.client.sql`delete from pgboss.job where name = 'mail.again'`
  await compare(run)
}

type Job = { id: string; name: string; data: { requestId?: string; mailId?: string; userId?: string } }
const waiting = async ({ app }: Run, name: string) =>
  (await app.client
    .sql`select id, name, data from pgboss.job where name = ${name} and state = 'created' order by created_on, id`) as unknown as Job[]

/** Runs a job as a worker does, sometimes in two processes at once. */
async function runJob(run: Run, { id }: Job, work: (system: System) => Promise<void>): Promise<void> {
  const processes = run.random.oneIn(4) ? run.systems : [run.random.pick(run.systems)]
  const outcomes = await Promise.allSettled(processes.map(async (system) => await work(system)))
  const failed = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  // As the queue repeats it, for example after its user was deleted meanwhile.
  if (failed.length === processes.length) await work(run.systems[0]!)
  await run.app.client.sql`delete from pgboss.job where id = ${id}`
}

/** The job that mails one requested link, while people act. */
async function linkJob(run: Run): Promise<Operation | undefined> {
  const jobs = await waiting(run, 'auth.link')
  if (jobs.length === 0) return undefined
  const job = run.random.pick(jobs)
  const request = await requestOf(run, run.state, job)
  const key = fresh(run, `link ${request?.purpose}`)
  return {
    name: `job: ${request?.key}`,
    act: (m) => {
      const found = m.s.requests.find((one) => one.key === request?.key)
      m.s.requests = m.s.requests.filter((one) => one !== found)
      if (found) m.mailLink(found, key)
      return 'done'
    },
    send: async () => {
      await runJob(run, job, async (system) => await mailRequestedLink(system, { requestId: job.data.requestId ?? '' }))
      return 'done'
    },
  }
}
async function requestOf(run: Run, state: State, { data }: Job) {
  const rows = await run.app.client
    .sql`select purpose, email, user_id from link_requests where id = ${data.requestId ?? ''}`
  const row = rows[0]
  const user = row?.['user_id'] ? (run.keys.get(row['user_id'] as string) ?? 'gone') : null
  return state.requests.find(
    (one) =>
      row &&
      one.purpose === row['purpose'] &&
      one.email === row['email'] &&
      (one.user === user || (user === 'gone' && one.user !== null && !run.values.has(one.user))),
  )
}

const nobody: Sent = { session: undefined, registered: undefined, next: '', nth: 0 }

/** Runs all jobs. Everybody then reads the mails. */
async function settle(run: Run, trace: string[]): Promise<void> {
  const { state, now } = run
  trace.push('settle')
  const m = new Accounts(state, now)
  const last: { to: string; subject: string }[] = []
  for (const job of await waiting(run, 'auth.purge')) {
    const key = run.keys.get(job.data.userId ?? '') ?? ''
    await runJob(run, job, async (system) => await purgeAccount(system, { userId: job.data.userId ?? '' }))
    const user = m.user(key)
    if (user?.isPurging) last.push({ to: m.purge(user), subject: 'Your account was deleted' })
  }
  for (let jobs = await waiting(run, 'auth.link'); jobs.length > 0; jobs = await waiting(run, 'auth.link'))
    for (const _ of jobs) {
      const job = await linkJob(run)
      await job?.send(nobody)
      job?.act(m, nobody)
    }
  for (const job of await waiting(run, 'mail.send'))
    await runJob(run, job, async (system) => await sendStoredMail(system, job.data.mailId ?? ''))
  const mails = state.mails.splice(0)
  await readMails(run, [...mails, ...last])
  await compare(run)
}

async function compare(run: Run): Promise<void> {
  const { rows, rest } = await readRows(run)
  const { expected, actual } = linesOf(run, run.state, rows)
  run.check(isSame(actual, expected), 'rows', ...differences(actual, expected))
  run.check(isSame(rest, restOf(run.state)), 'requests and mails', rest, restOf(run.state))
  bindUsers(run, rows)
  checkOwners(run)
}

const differences = (actual: readonly string[], expected: readonly string[]) => [
  `product: ${inspect(actual.filter((one) => !expected.includes(one)))}`,
  `model: ${inspect(expected.filter((one) => !actual.includes(one)))}`,
]
const permutations = <T>(list: readonly T[]): T[][] =>
  list.length < 2
    ? [[...list]]
    : list.flatMap((one, index) => permutations(list.toSpliced(index, 1)).map((rest) => [one, ...rest]))

/** Sends operations at the same time. Their answers and effects must be those of some order of the model. */
async function step(run: Run, operations: readonly Operation[], trace: string[]): Promise<string[]> {
  trace.push(`${new Date(run.now).toISOString()} ${operations.map((one) => one.name).join('  ||  ')}`)
  const sent = operations.map(({ browser }): Sent => {
    const nth = (run.count += 1)
    const cookies = browser ? cookiesOf(run, browser) : { session: undefined, registered: undefined }
    return { ...cookies, next: `${browser?.person}: ${nth}`, nth }
  })
  const touching = new Accounts(run.state, run.now)
  for (const { session } of sent) touching.touch(session)
  const answers = await Promise.all(operations.map(async (one, at) => await one.send(sent[at]!)))
  trace.push(`  -> ${answers.join(' || ')}`)
  const { rows, rest } = await readRows(run)
  const tried: string[] = []
  const orders = permutations(operations.map((_, index) => index))
  // A concurrent request may have been authenticated before another one took effect: bits of `early` are such requests.
  for (let early = 0; early < (operations.length > 1 ? 2 ** operations.length : 1); early++)
    for (const order of orders) {
      const state = structuredClone(run.state)
      const before = structuredClone(run.state)
      const expected: string[] = []
      for (const index of order)
        expected[index] = operations[index]!.act(
          new Accounts(state, run.now, early & (1 << index) ? before : state),
          sent[index]!,
        )
      const lines = linesOf(run, state, rows)
      const isFit = isSame(expected, answers) && isSame(lines.actual, lines.expected) && isSame(rest, restOf(state))
      if (isFit) {
        run.state = state
        bindUsers(run, rows)
        checkOwners(run)
        return answers
      }
      tried.push(
        inspect(
          [expected, ...differences(lines.actual, lines.expected), ...differences(rest, restOf(state))].join('\n'),
        ),
      )
    }
  return run.fail(`no order of the model explains ${answers.join(' || ')}`, ...[...new Set(tried)].slice(0, 3))
}
