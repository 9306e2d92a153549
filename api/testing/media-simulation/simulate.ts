import { fileProcesses } from '../../wiring.ts'
import { openProcessPool } from '../../core/process-pool.ts'
import { start } from '../../main.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { startBucket } from '../bucket.ts'
import { seeded } from '../random.ts'
import { checkAtRest, checkClosed, deleteAgain, checkDeletions, checkOwner } from './checks.ts'
import { hour } from './model.ts'
import { randomOperation } from './operations.ts'
import { headUpload, type Operation } from './uploads.ts'
import { startProcess } from './process.ts'
import {
  openAdmin,
  openOwner,
  type Owner,
  planFaults,
  recover,
  runJob,
  runScheduled,
  startFileServer,
  waitingJobs,
  type World,
} from './world.ts'

class Violation extends Error {}

/** Plays seeds. Returns the first violation of each seed that has one, with the steps before it. */
export async function simulateMedia(firstSeed: number, count: number, steps: number): Promise<string[]> {
  const violations: string[] = []
  const filePool = openProcessPool(fileProcesses)
  const files = await startFileServer()
  try {
    for (const kind of ['disk', 'bucket'] as const) {
      const seeds = Array.from({ length: count }, (_, n) => firstSeed + n).filter(
        (seed) => seed % 2 === Number(kind === 'bucket'),
      )
      if (seeds.length === 0) continue
      let clock = () => new Date()
      const bucket = kind === 'bucket' ? await startBucket(() => clock()) : undefined
      const app = await startTestApp({
        role: 'web',
        env: { ...bucket?.env, FETCH_LOOPBACK: 'on', LOG_LEVEL: 'silent' },
      })
      clock = app.clock.now
      const sandbox = await start({ ...app.env, ROLE: 'sandbox' })
      const processes = [await startProcess(app, filePool), await startProcess(app, filePool)]
      const shared = { app, bucket, filePool, processes, stamped: new Set<string>(), fileAddress: files.address }
      try {
        for (const seed of seeds) {
          const trace: string[] = []
          try {
            await play({ ...shared, seed, steps, trace })
          } catch (error) {
            if (!(error instanceof Violation)) throw error
            violations.push(`seed ${seed} (${kind}): ${error.message}\n  ${trace.slice(-40).join('\n  ')}`)
            await clear(app)
          }
        }
      } finally {
        for (const one of processes) await one.stop()
        await sandbox.stop()
        await app.stop()
        await bucket?.stop()
      }
    }
  } finally {
    await filePool.stop()
    files.stop()
  }
  return violations
}

/** After a violation what it left is not known. */
async function clear({ client }: TestApp): Promise<void> {
  await client.sql`delete from users`
  await client.sql`delete from pgboss.job`
}

type Shared = Pick<World, 'app' | 'bucket' | 'filePool' | 'processes' | 'stamped' | 'fileAddress' | 'trace'> & {
  seed: number
}

async function play({ seed, steps, ...shared }: Shared & { steps: number }): Promise<void> {
  const random = seeded(seed)
  const { app } = shared
  const text = (one: unknown) => (typeof one === 'string' ? one : JSON.stringify(one))
  const world: World = {
    ...shared,
    random,
    owners: [await openOwner(app), await openOwner(app)],
    admin: await openAdmin(app),
    count: 0,
    isFaulty: false,
    mayLeaveParts: false,
    touched: new Set(),
    failures: new Map(),
    check: (isTrue, ...texts) => {
      if (!isTrue) throw new Violation(texts.map(text).join(' '))
    },
  }
  const closed: Owner[] = []
  for (let nth = 0; nth < steps; nth++) {
    const operations = Array.from({ length: random.pick([1, 1, 2, 3]) }, () => randomOperation(world))
    const [first] = operations
    // The same request, at once, or after its answer.
    if (first && random.oneIn(8)) operations.push(first)
    await step(world, operations)
    if (first && random.oneIn(8)) await step(world, [first], true)
    for (const [index, owner] of world.owners.entries()) {
      if (!owner.isClosing) continue
      await deleteAgain(world, owner)
      closed.push(owner)
      world.owners[index] = await openOwner(app)
    }
    if (random.oneIn(3)) await passTime(world)
    await checkClosed(world, closed)
  }
  await settle(world)
  await checkAtRest(world, closed)
}

async function step(world: World, operations: readonly Operation[], isRepeat = false): Promise<void> {
  const { random, trace, check, app } = world
  const isAlone = operations.length === 1 && !isRepeat
  world.touched.clear()
  const faults = random.oneIn(2) ? planFaults(world) : ''
  trace.push(
    `${app.clock.now().toISOString()} ${operations.map((one) => one.name).join(' | ')}${faults && ` (${faults})`}`,
  )
  const results = await Promise.all(operations.map(async (one) => await one.send(operations.length === 1)))
  trace.push(`  ${results.map((one) => one.status).join(' ')}`)
  const isFaulty = world.isFaulty || world.owners.some((one) => one.isClosing)
  await recover(world)
  for (const [index, { status }] of results.entries()) {
    const { name, allowed, also = [] } = operations[index]!
    const isExpected =
      status === 0 ||
      allowed.includes(status) ||
      (!isAlone && also.includes(status)) ||
      (isFaulty &&
        (status === 503 || (status === 500 && !faults.includes('away')) || [401, 403, ...also].includes(status)))
    check(isExpected, `${name} was answered ${status}`)
  }
  for (const owner of world.owners) if (!owner.isClosing) await checkOwner(world, owner)
}

/** Lets time pass, in which the scheduled jobs run, or fail to. */
async function passTime(world: World): Promise<void> {
  const { random, app, trace } = world
  const minutes = random.pick([2, 2, 2, 4, 10, 10, 61, 61, 420, 420, 1500, 11_520])
  app.clock.advance(minutes * 60_000)
  const faults = random.oneIn(3) ? planFaults(world) : ''
  trace.push(`${minutes} minutes pass${faults && ` (${faults})`}`)
  if (random.oneIn(5)) return await recover(world)
  await runScheduled(world, 'media.sweep-uploads')
  if (minutes >= 60) for (const name of hourly) await runScheduled(world, name)
  if (minutes >= 1440) for (const name of daily) await runScheduled(world, name)
  await recover(world)
}

const hourly = ['website.settle-sites', 'auth.leaving', 'social.care']
const daily = ['media.sweep-unnamed', 'website.sweep-images']

/** Lets all jobs run, for as many days as the product needs to tidy up. */
async function settle(world: World): Promise<void> {
  const { app, check, trace } = world
  const work = async () => {
    for (let round = 0; round < 12; round++) {
      const jobs = await waitingJobs(world)
      if (jobs.length === 0) return
      for (const job of jobs) await runJob(world, job)
    }
    check(
      false,
      'these jobs fail',
      (await waitingJobs(world)).map((one) => one.name),
      ...trace.slice(-3),
    )
  }
  trace.push('everything comes to rest')
  await work()
  app.clock.advance(2 * 60_000)
  await runScheduled(world, 'media.sweep-uploads')
  for (const owner of world.owners)
    for (const upload of owner.library.uploads)
      if (upload.state === 'open') await headUpload(world, owner, upload, true)
  for (const owner of world.owners) await checkOwner(world, owner)
  await work()
  await checkDeletions(world)
  for (let day = 0; day < 4; day++) {
    app.clock.advance(25 * hour)
    for (const name of ['media.sweep-uploads', ...hourly, ...daily]) await runScheduled(world, name)
    await work()
  }
  await recover(world)
}
