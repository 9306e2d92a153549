import { users } from '@flashsheet/db/schema/auth'
import { inArray } from 'drizzle-orm'
import { createArtist } from '../actors.ts'
import { connectAssistant } from '../assistant.ts'
import { accountsOf, connect } from '../connect.ts'
import { createProgram } from '../keys.ts'
import { uploadPictures } from '../posting.ts'
import { readAsEverybody } from './readings.ts'
import { seeded } from '../random.ts'
import { control } from '../sandbox.ts'
import { check, checkNotices, checkPublished, Violation } from './checks.ts'
import { compare, compareAfterWork, explain } from './explain.ts'
import { type Artist, day, hour, minute, second, type Target } from './model.ts'
import { type Operation, type Person, planOperation, randomOperation, randomRules, type Run } from './operations.ts'
import {
  alarmsOnly,
  breakNetwork,
  mendNetworks,
  nextAlarm,
  openWorld,
  runRepeatedTasks,
  runDueJobs,
  type World,
} from './world.ts'

/** Shortly before the clocks change in the zones of the simulation. */
const starts = ['2026-10-23', '2026-10-30', '2027-03-12', '2027-03-26', '2027-04-01', '2026-12-29']
const zones = ['Europe/London', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe']
const logins = [
  { facebook: '10226001845530121', instagram: undefined, linkedin: undefined },
  { facebook: '10226001845530122', instagram: '17841460011220002', linkedin: 'mV4cJ7yBnZ' },
] as const
const platforms = ['facebook', 'instagram', 'linkedin'] as const

/**
 * Plays seeds: two artists who plan posts in the product and in the model. Returns the first difference of each seed
 * that has one, with the steps before it.
 */
export async function simulatePlanning(firstSeed: number, count: number, steps: number): Promise<string[]> {
  const world = await openWorld()
  const violations: string[] = []
  try {
    for (let seed = firstSeed; seed < firstSeed + count; seed++) {
      const trace: string[] = []
      try {
        await play(world, seed, steps, trace)
      } catch (error) {
        if (!(error instanceof Violation))
          throw new Error(`seed ${seed}\n  ${trace.slice(-30).join('\n  ')}`, { cause: error })
        violations.push(`seed ${seed}: ${error.message}\n  ${trace.slice(-40).join('\n  ')}`)
      }
    }
  } finally {
    await world.stop()
  }
  return violations
}

async function openPerson(world: World, which: number, zone: string): Promise<[Person, Artist]> {
  const { app } = world
  const client = await createArtist(app, { timeZone: zone })
  for (const platform of platforms) {
    const as = logins[which]![platform]
    await connect(app, client, platform, as === undefined ? {} : { as })
  }
  const program = await createProgram(app, client, ['posts:write', 'media:write', 'accounts:read'])
  const assistant = await connectAssistant(app, program.key)
  const mediaIds = await uploadPictures(client, 3)
  const artist: Artist = {
    zone,
    isPaying: true,
    accounts: [],
    queue: { zone: null, isPaused: false, rules: [] },
    posts: [],
    drafts: [],
  }
  const person = { client, program, assistant, mediaIds }
  await readAccounts(person, artist)
  return [person, artist]
}

async function readAccounts({ client }: Person, artist: Artist): Promise<void> {
  const accounts = await accountsOf(client)
  artist.accounts = accounts.map(({ _id, platform, providerUserId, pages }) => {
    return { id: _id, platform, login: providerUserId, pages: pages.map(({ pageId }) => pageId) }
  })
}

async function play(world: World, seed: number, steps: number, trace: string[]): Promise<void> {
  const random = seeded(seed)
  const { pick, oneIn, whole } = random
  await control(world.app, 'POST', '/reset')
  world.app.clock.set(new Date(Date.parse(pick(starts)) + whole(0, 1440) * minute).toISOString())
  await world.app.client.sql`delete from pgboss.job`
  await world.app.client.sql`delete from publish_alarms`.catch(() => undefined)
  const opened = [await openPerson(world, 0, pick(zones)), await openPerson(world, 1, pick(zones))]
  const run: Run = {
    world,
    random,
    people: opened.map(([person]) => person),
    artists: opened.map(([, artist]) => artist),
    ids: new Map(),
    name: `s${seed}`,
    count: 0,
  }
  for (const [which, artist] of run.artists.entries()) {
    const queue = { zone: null, isPaused: false, rules: randomRules(random, artist) }
    artist.queue = queue
    const slots = queue.rules.map(({ pages, ...rest }) => ({
      ...rest,
      ...(pages ? { pages: pages.map(({ account, pageId }) => ({ socialAccountId: account, pageId })) } : {}),
    }))
    check((await run.people[which]!.client.put('/api/queue', { slots })).status === 200, 'the queue is not saved')
  }
  const say = (text: string) => trace.push(`${new Date(world.now()).toISOString()} ${text}`)
  for (let nth = 0; nth < steps; nth++) {
    // As every few seconds, so that what is moved nearer now depends on an alarm of its own.
    await alarmsOnly(world, random)
    const withWorkers = oneIn(3)
    if (withWorkers && oneIn(2)) say(await breakNetwork(world, random))
    // In a race one artist acts upon posts that are due.
    const only = whole(0, 1)
    const all = Array.from({ length: pick([1, 1, 2, 2, 3]) }, () =>
      randomOperation(run, withWorkers || oneIn(2) ? only : whole(0, 1), world.now()),
    ).slice(0, withWorkers ? 2 : 3)
    // Nobody could say which of two concurrent changes of one setting was the last.
    const drawn = all.filter(
      (one, at) => !all.slice(0, at).some((other) => other.which === one.which && changesSameSetting(one, other)),
    )
    const [first] = drawn
    if (first && oneIn(6) && drawn.length < 3) drawn.push(first)
    say(`${drawn.map((one) => one.which + ' ' + one.name).join(' | ')}${withWorkers ? ' | workers' : ''}`)
    await act(run, drawn, withWorkers)
    if (withWorkers) await work(run)
    await mendNetworks(world)
    if (first && oneIn(8)) {
      say(`again: ${first.name}`)
      await act(run, [first], false)
    }
    if (oneIn(3)) await readAsEverybody(run, whole(0, 1))
    if (oneIn(12)) await reconnect(run, whole(0, 1), say)
    if (oneIn(2)) {
      const ms = pick([minute, 3 * minute, 30 * minute, 3 * hour, day, 2 * day])
      const isUp = !oneIn(4)
      say(`${ms / minute} minutes pass${isUp ? '' : ' without workers'}`)
      if (isUp && oneIn(3)) say(await breakNetwork(world, random))
      await passTime(run, world.now() + ms, isUp)
      await mendNetworks(world)
    }
    if (oneIn(6)) await settle(run, say)
  }
  for (const [which, artist] of run.artists.entries())
    if (!artist.isPaying) await act(run, [planOperation(run, which, world.now())], false)
  say('the end')
  await passTime(run, world.now() + 5 * day, true)
  await settle(run, say)
  const owners = run.people.map(({ client }) => client.id)
  await world.app.client.db.delete(users).where(inArray(users.id, owners))
}

/** Whether both save the queue, or both a time zone: the queue may follow that of the studio. */
function changesSameSetting(one: Operation, other: Operation): boolean {
  const settings = ({ name }: Operation) => [
    ...(name.startsWith('queue ') ? ['queue'] : []),
    ...(name.startsWith('zone ') || name.startsWith('queue {"timeZone"') ? ['zone'] : []),
  ]
  return settings(one).some((setting) => settings(other).includes(setting))
}

/** Connects what is not connected, or everything again. */
async function reconnect(run: Run, which: number, say: (text: string) => void): Promise<void> {
  const { world, people, artists, random } = run
  const artist = artists[which]!
  if (!artist.isPaying) return
  const platform = random.pick(platforms)
  const as = logins[which]![platform]
  say(`${which} connects ${platform}`)
  const now = world.now()
  await connect(world.app, people[which]!.client, platform, as === undefined ? {} : { as })
  await readAccounts(people[which]!, artist)
  const ids = new Set(artist.accounts.filter((one) => one.platform === platform).map(({ id }) => id))
  for (const target of artist.posts.flatMap(({ targets }) => targets))
    if (target.awaits && ids.has(target.account)) Object.assign(target, { awaits: false, dueAt: now })
  await compare(run, { from: now, to: world.now() })
}

/** Sends operations at the same time, perhaps while workers run. Their answers and effects must be those of some order. */
async function act(run: Run, operations: readonly Operation[], withWorkers: boolean): Promise<void> {
  const { world, random } = run
  const from = world.now()
  const [sent] = await Promise.all([
    Promise.all(operations.map(async (one) => await one.send())),
    withWorkers ? runDueJobs(world, random) : undefined,
  ])
  const span = { from, to: world.now() }
  for (const which of run.artists.keys()) {
    const mine = operations.flatMap((operation, index) =>
      operation.which === which ? [{ operation, sent: sent[index]! }] : [],
    )
    await explain(run, which, mine, span, withWorkers)
  }
  await checkPublished(run)
}

/** Lets the workers do what is due now. */
async function work(run: Run): Promise<void> {
  const from = run.world.now()
  await runDueJobs(run.world, run.random)
  await compareAfterWork(run, from)
}

const openTargets = ({ artists }: Run): Target[] =>
  artists
    .flatMap(({ posts }) => posts.filter((one) => !one.isDeleted).flatMap(({ targets }) => targets))
    .filter(({ state }) => state === 'waits' || state === 'begun')

/** Advances the clock, from alarm to alarm if workers run. */
async function passTime(run: Run, until: number, isUp: boolean): Promise<void> {
  const { world, random } = run
  while (isUp) {
    const now = world.now()
    const dues = openTargets(run).flatMap(({ dueAt }) => [dueAt - 25 * minute, dueAt + 30])
    const alarm = await nextAlarm(world, ['posts.publish'])
    const next = Math.min(...dues.filter((at) => at > now), Math.max(alarm ?? until, now + 1))
    if (next >= until) break
    await world.advanceTo(next + 5)
    await alarmsOnly(world, random)
    await work(run)
    const late = openTargets(run).filter((one) => one.state === 'waits' && one.dueAt < world.now() - 3 * second)
    check(late.length === 0, 'did not begin in time:', late)
  }
  await world.advanceTo(until)
  if (!isUp) return
  await alarmsOnly(world, random)
  await work(run)
}

/** Lets everything come to rest that has begun, and checks it. */
async function settle(run: Run, say: (text: string) => void): Promise<void> {
  const { world, random } = run
  say('settles')
  for (let round = 0; round < 300; round++) {
    const from = world.now()
    await runRepeatedTasks(world, random)
    await runDueJobs(world, random)
    await compareAfterWork(run, from)
    const isOpen = openTargets(run).some(({ state, dueAt }) => state === 'begun' || dueAt <= world.now())
    if (!isOpen) break
    if (round === 299) {
      const rows = await world.app.client
        .sql`select message, phase, due_at, tries, polls, error_message, lease_token, lease_until, checkpoint from post_targets where phase not in ('posted', 'failed') and lease_token is not null or phase not in ('scheduled', 'posted', 'failed')`
      check(false, 'never comes to rest', new Date(world.now()).toISOString(), rows)
    }
    const alarm = await nextAlarm(world, ['posts.publish'])
    const dues = openTargets(run).flatMap(({ state, dueAt }) => (state === 'begun' ? [dueAt] : []))
    await world.advanceTo(Math.max(Math.min(alarm ?? Infinity, ...dues), world.now() + second) + 5)
  }
  await checkNotices(run)
}
