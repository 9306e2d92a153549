import type { MediaItem } from '@flashsheet/contracts/media/schema'
import type { SiteImage } from '@flashsheet/contracts/website/schema'
import { galleryItems } from '@flashsheet/db/schema/website'
import { users } from '@flashsheet/db/schema/auth'
import { picture } from '@flashsheet/sandbox/fixtures/videos'
import { inArray } from 'drizzle-orm'
import { setTimeout } from 'node:timers/promises'
import { createLogger } from '../../core/log.ts'
import { createSessions } from '../../core/sessions/session.ts'
import type { System } from '../../core/context.ts'
import { purgeAccount } from '../../features/auth/service/purge.ts'
import { removeFiles } from '../../features/media/service/remove.ts'
import { publishGalleryItem, removeGalleryFiles } from '../../features/website/service/gallery-files.ts'
import { reconcileClosedSites } from '../../features/website/service/public-site.ts'
import { start } from '../../main.ts'
import { createArtist, type Artist } from '../actors.ts'
import { patientTimeouts, startTestApp, type TestApp } from '../app.ts'
import { reservePorts } from '../ports.ts'
import { seeded } from '../random.ts'
import { openSystem } from '../system.ts'
import { sendForm } from '../uploads.ts'
import { Checks, Violation } from './checks.ts'
import { add, day, newArtist, refusal, second, type Answer, withFreedPictures } from './model.ts'
import { randomOperation, randomProfile, saveOperation, visitorAt, type Operation, type Run } from './operations.ts'
import { sitesDomain, type Process } from './pages.ts'

/**
 * Plays seeds: artists change their sites in three web processes, and visitors read every address in each of them.
 * Returns the first difference of each seed that has one, with the steps before it.
 */
export async function simulateSites(
  firstSeed: number,
  count: number,
  { steps = 40, breaksConnections = true } = {},
): Promise<string[]> {
  const app = await startTestApp({ role: 'web', log: createLogger('silent') })
  const { ports, releasePorts } = await reservePorts(2)
  const more = async (port: number, env: Record<string, string>) =>
    await start(
      { ...app.env, PUBLIC_URL: app.url, PORT: String(port), ROLE: 'web', ...env },
      { clock: app.clock.now, log: createLogger('silent'), jobPool: { max: 1 }, requestTimeouts: patientTimeouts },
    )
  const others = [await more(ports[0]!, {}), await more(ports[1]!, { SITES_DOMAIN: sitesDomain })]
  const workers = [await openSystem(app), await openSystem(app)]
  const processes: Process[] = [
    { port: Number(new URL(app.url).port), addressing: 'path', caughtUp: app.running.caughtUp },
    { port: ports[0]!, addressing: 'path', caughtUp: others[0]!.caughtUp },
    { port: ports[1]!, addressing: 'host', caughtUp: others[1]!.caughtUp },
  ]
  const violations: string[] = []
  try {
    for (let seed = firstSeed; seed < firstSeed + count; seed++) {
      const trace: string[] = []
      try {
        await play(
          app,
          processes,
          workers.map(({ system }) => system),
          { seed, steps, breaksConnections },
          trace,
        )
      } catch (error) {
        if (!(error instanceof Violation)) throw error
        violations.push(`seed ${seed}: ${error.message}\n  ${trace.slice(-25).join('\n  ')}`)
      }
    }
  } finally {
    for (const one of workers) await one.close()
    for (const one of others) await one.stop()
    await app.stop()
    releasePorts()
  }
  return violations
}

async function play(
  app: TestApp,
  processes: readonly Process[],
  systems: readonly System[],
  { seed, steps, breaksConnections }: { seed: number; steps: number; breaksConnections: boolean },
  trace: string[],
): Promise<void> {
  const random = seeded(seed)
  const artists: Artist[] = []
  for (let n = 0; n < 3; n++) artists.push(await createArtist(app))
  const staff = await createArtist(app, { plan: null, admin: true })
  const run: Run = {
    app,
    processes,
    systems,
    random,
    artists,
    staff,
    names: Array.from({ length: random.pick([5, 9]) }, (_, n) => `s${seed}-${n}`),
    world: { artists: artists.map(newArtist), nth: 0 },
    count: 0,
    saves: [],
    loggedOut: new Set(),
  }
  const checks = new Checks(run)
  for (let which = 0; which < artists.length; which++) {
    for (let n = 0; n < 3; n++) await uploadSomething(run, which, processes[0]!)
    const domainName = run.names[which]!
    if (random.chance(0.8))
      await sendAtOnce(
        run,
        checks,
        [saveOperation(run, which, { personalInfo: { ...randomProfile(run, which), domainName } })],
        () => processes[0]!,
      )
  }
  for (let nth = 0; nth < steps; nth++) {
    const laterMs = random.pick([0, 0, 0, 1, 5, 20, 61, 3600, 86_400, 5 * 86_400, 16 * 86_400]) * second
    app.clock.advance(laterMs)
    if (laterMs > day / 2) for (let which = 0; which < artists.length; which++) await logIn(run, which)
    if (random.oneIn(3)) {
      const which = random.below(3)
      const problem = await uploadSomething(run, which, processes[0]!)
      trace.push(`${which} uploads ${problem}`)
      checks.check(problem === '', problem)
      await checks.everything(0)
    }
    const drawn = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () => randomOperation(run) ?? [])
      .flat()
      .filter((one, at, all) => !one.setting || all.findIndex(({ setting }) => setting === one.setting) === at)
    const at = random.pick(processes)
    const isTogether = random.oneIn(2)
    trace.push(
      `${app.clock.now().toISOString()} ${drawn.map((one) => one.name).join(' | ')} at ${isTogether ? processes.indexOf(at) : 'any'}`,
    )
    const losesHints = breaksConnections && random.oneIn(5)
    if (losesHints) {
      trace.push('and the connections for hints break')
      await Promise.all([breakHints(app), checks.duringChanges()])
      await setTimeout(random.whole(0, 60))
    }
    // What comes from outside the processes has no one who would try it again.
    const isOutside = drawn.some((one) => one.isOutside)
    const breaksStatements = breaksConnections && random.oneIn(6) && !isOutside
    if (breaksStatements) trace.push('and statements break')
    await Promise.all([
      sendAtOnce(run, checks, drawn, () => (isTogether ? at : random.pick(processes))),
      breaksStatements && breakStatements(app, random.whole(0, 25)),
    ])
    if (isTogether && !isOutside) await checks.process(at, laterMs)
    if (losesHints) await hintsReturn(app)
    await checks.everything(laterMs)
    if (random.oneIn(2)) {
      trace.push(await runJobs(run))
      await checks.everything(0)
    }
    for (let which = 0; which < artists.length; which++) if (run.loggedOut.has(which)) await logIn(run, which)
  }
  await app.client.db.delete(users).where(
    inArray(
      users.id,
      [...artists, staff].map(({ id }) => id),
    ),
  )
}

/** A new session for an artist whose sessions ended. */
async function logIn(run: Run, which: number): Promise<void> {
  const { app, artists, staff, world } = run
  const sessions = createSessions(app.client.db, app.running.config, app.clock.now)
  const renew = async (artist: Artist) => {
    const [pair = ''] = (await sessions.begin(artist.id)).cookie.split(';')
    artist.cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
  }
  const { isActive, isDeleted } = world.artists[which]!
  if (isActive && !isDeleted) {
    await renew(artists[which]!)
    run.loggedOut.delete(which)
  }
  if (which === 0) await renew(staff)
}

/** Sends operations at the same time. Their answers must be those of some order of the model. */
async function sendAtOnce(
  run: Run,
  checks: Checks,
  operations: readonly Operation[],
  processFor: () => Process,
): Promise<void> {
  const now = run.app.clock.now().getTime()
  const reading = operations.length > 0 ? checks.duringChanges() : undefined
  const answers = await Promise.all(
    operations.map(
      async (one) =>
        await one.send(processFor()).catch((error: unknown) => ({ status: brokenStatus(error) }) as Answer),
    ),
  )
  await reading
  // After a 503 nobody knows whether there was an effect.
  const unclear = answers.flatMap(({ status }, index) => (status === 503 ? [index] : []))
  const tried = permutations(operations.map((_, index) => index)).flatMap((order) =>
    subsets(unclear).map((left) => {
      const world = structuredClone(run.world)
      const expected = answers.map(({ status }) => status)
      let isRight = true
      for (const index of order.filter((one) => !left.includes(one))) {
        const answer = operations[index]!.act(world, now)
        if (!unclear.includes(index)) expected[index] = answer.status
        const { gallery } = answers[index]!
        if (gallery && operations.length === 1) isRight &&= String(gallery) === String(answer.gallery)
      }
      return { world, expected, isRight: isRight && String(expected) === String(answers.map(({ status }) => status)) }
    }),
  )
  const fits = tried.filter((one) => one.isRight)
  checks.check(
    fits.length > 0,
    'no order of the model explains',
    answers,
    tried.map((one) => one.expected),
  )
  const worlds = fits.flatMap(({ world }) => [world, withFreedPictures(run.world, world)])
  run.world = await checks.whichIs(worlds)
}

const breakHints = async ({ client }: TestApp) =>
  await client.sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query = 'listen flashsheet_live'`

/** Breaks the connections that run a statement or transaction at that moment. */
async function breakStatements({ client }: TestApp, afterMs: number): Promise<void> {
  await setTimeout(afterMs)
  await client.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
    and pid <> pg_backend_pid() and state in ('active', 'idle in transaction')`
}

/** Resolves once all five processes listen again. */
async function hintsReturn({ client }: TestApp): Promise<void> {
  for (;;) {
    const rows = await client.sql`select pid from pg_stat_activity
      where datname = current_database() and query = 'listen flashsheet_live' and state = 'idle'`
    if (rows.length === 5) return
    await setTimeout(10)
  }
}

/** Of a job or event that a broken connection ended. */
function brokenStatus(error: unknown): number {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  if (/^(?:CONNECTION|57P01)/.test(String(code ?? cause?.code))) return 503
  throw error
}

const subsets = <T>(list: readonly T[]): T[][] =>
  list.reduce<T[][]>((all, one) => [...all, ...all.map((some) => [...some, one])], [[]])

/** Uploads a picture for the library, for library and gallery at once, or for the site. Returns whether it was allowed. */
async function uploadSomething(run: Run, which: number, at: Process): Promise<string> {
  const { random, world } = run
  const artist = world.artists[which]!
  if (refusal(artist) !== undefined) return ''
  const visitor = visitorAt(run, which, at)
  const bytes = await picture(random.pick([40, 400]), 60, (run.count += 1))
  const kind = random.pick(['library', 'gallery', 'site', 'site'] as const)
  if (kind === 'site') {
    const form = new FormData()
    form.append('file', new File([new Uint8Array(bytes)], 'a.jpg', { type: 'image/jpeg' }))
    const response = await visitor.fetch('/api/websitebuilder/image', { method: 'POST', body: form })
    if (response.status !== 200) return `the picture was answered ${response.status}`
    artist.pictures.push({ url: ((await response.json()) as SiteImage).url, at: run.app.clock.now().getTime() })
    return ''
  }
  const path = kind === 'library' ? '/api/media/upload' : '/api/websitebuilder/upload'
  const { status, body } = await sendForm(visitor, [{ name: 'a.jpg', type: 'image/jpeg', bytes }], 'files', { path })
  if (status !== 201) return `the upload was answered ${status}`
  for (const { _id } of body as MediaItem[]) {
    artist.media.push(_id)
    if (kind === 'gallery') add(world, which, [_id])
  }
  return ''
}

const permutations = <T>(list: readonly T[]): T[][] =>
  list.length < 2
    ? [[...list]]
    : list.flatMap((one, index) => permutations(list.toSpliced(index, 1)).map((rest) => [one, ...rest]))

const handlers: Record<string, (system: System, data: never) => Promise<void>> = {
  'website.make-forms': publishGalleryItem,
  'website.remove-forms': removeGalleryFiles,
  'media.remove-files': async (system: System, { mediaIds }: { mediaIds: string[] }) =>
    await removeFiles(system, mediaIds),
  'auth.purge': purgeAccount,
}

/** Runs some of the waiting jobs, sometimes twice. */
async function runJobs(run: Run): Promise<string> {
  const { app, random, systems, artists, world } = run
  const jobs = (await app.client
    .sql`select id, name, data from pgboss.job where state = 'created' and name in ${app.client.sql(Object.keys(handlers))} order by created_on, id`) as unknown as {
    id: string
    name: string
    data: never
  }[]
  const chosen = jobs.filter(() => random.chance(0.7))
  for (const { id, name, data } of chosen) {
    const processes = random.oneIn(4) ? systems : [random.pick(systems)]
    await Promise.all(processes.map(async (system) => await handlers[name]!(system, data)))
    await app.client.sql`delete from pgboss.job where id = ${id}`
  }
  if (random.oneIn(2)) await reconcileClosedSites(random.pick(systems))
  const rows = await app.client.db.select().from(galleryItems)
  for (const [which, artist] of world.artists.entries())
    for (const entry of artist.gallery)
      entry.isPublic = rows.some(
        ({ userId, mediaId, renditions }) => userId === artists[which]!.id && mediaId === entry.id && renditions,
      )
  const left = new Set((await app.client.db.select({ id: users.id }).from(users)).map(({ id }) => id))
  for (const [which, artist] of world.artists.entries()) {
    if (!artist.isDeleted || left.has(artists[which]!.id)) continue
    artists[which] = await createArtist(app)
    run.saves = run.saves.filter((one) => one.which !== which)
    world.artists[which] = newArtist()
  }
  return `jobs: ${chosen.map(({ name }) => name).join(' ')}`
}
