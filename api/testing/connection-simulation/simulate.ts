import { users } from '@flashsheet/db/schema/auth'
import { deletionRequests } from '@flashsheet/db/schema/social'
import { videoFixture } from '@flashsheet/sandbox/fixtures/videos'
import { createSessions } from '../../core/sessions/session.ts'
import { ownerScope } from '../../core/scope.ts'
import { closeAccount } from '../../features/auth/service/purge.ts'
import { createArtist, createVisitor } from '../actors.ts'
import { createProgram } from '../keys.ts'
import { uploadFile, uploadPictures } from '../posting.ts'
import { seeded } from '../random.ts'
import { control } from '../sandbox.ts'
import { checkRest, checkStep, isGranted, type Memory } from './checks.ts'
import { type Actor, day, hour, keyOf, minute, type Run } from './model.ts'
import { beginFlow, finishFlow, type Operation, randomOperation, refreshNow } from './operations.ts'
import {
  breakNetwork,
  changePlan,
  openWorld,
  runTasks,
  storedAccounts,
  type StoredAccount,
  work,
  type World,
} from './world.ts'

class Violation extends Error {}

/** Plays seeds. Returns the first difference of each seed that has one, with the steps before it. */
export async function simulateConnections(firstSeed: number, count: number, steps: number): Promise<string[]> {
  const world = await openWorld()
  const violations: string[] = []
  try {
    for (let seed = firstSeed; seed < firstSeed + count; seed++) {
      const trace: string[] = []
      const text = () => [`seed ${seed}`, ...trace.slice(-40)].join('\n  ')
      try {
        await play(world, seed, steps, trace)
      } catch (error) {
        if (!(error instanceof Violation)) throw new Error(text(), { cause: error })
        violations.push(`${error.message}\n${text()}`)
      }
    }
  } finally {
    await world.stop()
  }
  return violations
}

async function openActor({ app }: World): Promise<Actor> {
  const artist = await createArtist(app, { timeZone: 'UTC' })
  const other = createVisitor(app.url)
  const { cookie } = await createSessions(app.client.db, app.running.config, app.clock.now).begin(artist.id)
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
  other.cookies.set(name, value)
  const program = await createProgram(app, artist, ['accounts:read'])
  const [image = ''] = await uploadPictures(artist)
  const video = await uploadFile(artist, { name: 'v.mp4', type: 'video/mp4', bytes: videoFixture('portrait-5s.mp4') })
  return {
    artist,
    sessions: [artist, other],
    program,
    image,
    video,
    accounts: new Map(),
    hasPlan: true,
    withoutPlan: [],
    isGone: false,
  }
}

const taskNames = ['social.care', 'posts.sweep', 'posts.alarms', 'posts.tidy', 'auth.leaving']

/** Short waits, and waits until tokens end: after two hours, two months or a year. */
const waits = [minute, 12 * minute, hour, hour, 3 * hour, 3 * hour, day, 2 * day, 4 * day, 9 * day, 62 * day, 363 * day]

type Play = Run & {
  take: (
    operations: readonly Operation[],
    also?: { jobs?: boolean; faults?: boolean; tasks?: boolean },
  ) => Promise<void>
  /** Lets time pass, with the jobs that run meanwhile. */
  pass: (ms: number) => Promise<void>
}

async function play(world: World, seed: number, steps: number, trace: string[]): Promise<void> {
  const random = seeded(seed)
  const { app } = world
  const { pick, oneIn, whole } = random
  await control(app, 'POST', '/reset')
  world.callbacks.length = 0
  world.dueOf.clear()
  await app.client.sql`delete from pgboss.job`
  for (const table of [users, deletionRequests]) await app.client.db.delete(table)
  app.clock.set(new Date(Date.parse('2027-03-01T10:00:00Z') + whole(0, 400 * 24 * 60) * minute).toISOString())
  const now = () => app.clock.now().getTime()
  const memory: Memory = { lossNotices: new Map(), owners: new Map() }
  const stepOf = (before: readonly StoredAccount[], isStrict: boolean, hasJobs: boolean) => ({
    isStrict,
    hasJobs,
    isRefusing: false,
    before,
    connected: [],
    removed: [],
    revoked: [],
  })
  const at = () => new Date(now()).toISOString()
  const run: Play = {
    world,
    random,
    actors: [await openActor(world), await openActor(world)],
    now,
    flows: [],
    posts: [],
    deletions: new Map(),
    step: stepOf([], false, false),
    log: (line) => void trace.push(line),
    check: (isTrue, ...texts) => {
      if (isTrue) return
      throw new Violation(texts.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join(' '))
    },
    async take(operations, { jobs = false, faults = false, tasks = false } = {}) {
      const startedAt = now()
      run.step = stepOf(await storedAccounts(world), operations.length < 2 && !jobs && !faults, jobs)
      const names = operations.map((one) => one.name).join(' | ')
      if (names) trace.push(`${at()} ${names}${jobs ? ' + jobs' : ''}`)
      if (faults) {
        const broken = await breakNetwork(world, random)
        run.step.isRefusing = broken.includes('-token')
        trace.push(`  ${broken}`)
      }
      const runJobs = async () => {
        if (tasks) await runTasks(world, random, taskNames)
        for (const failure of (await work(world, random)).failures) trace.push(`  ${failure.slice(0, 160)}`)
      }
      await Promise.all([...operations.map(async (one) => await one.send()), ...(jobs ? [runJobs()] : [])])
      await control(app, 'DELETE', '/faults')
      await checkStep(run, memory, startedAt)
    },
    async pass(ms) {
      trace.push(`${at()} ${(ms / hour).toFixed(1)} hours pass`)
      for (let left = ms; left > 0;) {
        const ahead = Math.min(left, left > 14 * day ? 6 * day : day)
        left -= ahead
        app.clock.advance(ahead)
        await run.take([], { jobs: true, tasks: true })
      }
    },
  }
  for (let nth = 0; nth < steps; nth++) {
    if (oneIn(4)) await run.pass(pick(waits))
    else app.clock.advance(whole(2, 60) * 1000)
    const operations = Array.from({ length: pick([1, 1, 1, 2, 3]) }, () => randomOperation(run, nth < 9))
    // The same request sent twice, at once.
    if (oneIn(8)) operations.push(operations[0]!)
    await run.take(operations, { jobs: oneIn(4), faults: oneIn(5), tasks: oneIn(3) })
  }
  await settle(run)
  await checkRest(run, memory)
  await leave(run)
}

/** Everything has an end: what is broken is shown so, and is connected again. */
async function settle(run: Play): Promise<void> {
  const { world, actors, pass, take } = run
  const living = actors.filter(({ isGone }) => !isGone)
  for (const by of living) {
    await changePlan(world, by.artist.id, true)
    by.hasPlan = true
  }
  for (const ms of [minute, hour, day, 2 * hour]) await pass(ms)
  for (const by of living)
    for (const account of by.accounts.values()) {
      const { login } = account
      await take([{ name: `refreshes ${keyOf(login)}`, send: async () => await refreshNow(run, by, account, true) }])
      const row = (await storedAccounts(world)).find(({ id }) => id === account.id)
      if (row?.health !== 'reconnect') continue
      const again = async () => {
        const flow = await beginFlow(run, by, login, true)
        if (flow) await finishFlow(run, flow, by, flow.session)
      }
      await take([{ name: `connects ${keyOf(login)} again`, send: again }])
    }
  for (const ms of [minute, hour, 2 * day]) await pass(ms)
}

/** The artists are deleted, by staff or at their request. Nothing of their connections is left, here or at a network. */
async function leave(run: Play): Promise<void> {
  const { world, actors, check } = run
  const { system } = world.workers[0]!
  const rows = await storedAccounts(world)
  const [first, second] = actors.filter(({ isGone }) => !isGone)
  await first?.artist.trpc.auth.deleteAccount.mutate({ name: first.artist.name })
  for (const ms of [hour, 31 * day, minute, minute, hour, 2 * day]) {
    for (const one of actors) one.isGone = true
    await run.pass(ms)
    if (second) await system.db.transaction(async (tx) => await closeAccount(system, tx, ownerScope(second.artist.id)))
  }
  check((await world.app.client.db.$count(users)) === 0, 'an artist was not deleted')
  check((await storedAccounts(world)).length === 0, 'an account of a deleted artist is left')
  for (const row of rows) {
    const isAlone = !rows.some((one) => one !== row && one.providerUserId === row.providerUserId)
    // YouTube's permission of a person is known only by the channel, so it is not revoked while there is another channel.
    if (isAlone && row.platform !== 'youtube')
      check(!isGranted(run, row), 'the permission of a deleted artist', row.platform, row.providerUserId)
  }
}
