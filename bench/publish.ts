import { type Platform, platformNames, platforms } from '@flashsheet/contracts/networks'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { postTargets, posts, publishAttempts } from '@flashsheet/db/schema/posts'
import { videoFixture } from '@flashsheet/sandbox/fixtures/videos'
import { asc, eq, inArray, min, sql } from 'drizzle-orm'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { profileQueue } from '../api/features/social/jobs.ts'
import type { Artist } from '../api/testing/actors.ts'
import { connect } from '../api/testing/connect.ts'
import { fault, untilSettled, timesHit, uploadFile, uploadPictures, variantsOf } from '../api/testing/posting.ts'
import type { ProductProcess } from '../api/testing/processes.ts'
import { control, eventually, type SandboxPost } from '../api/testing/sandbox.ts'
import {
  megabyte,
  residentBytes,
  openBench,
  postgresSeconds,
  processorSeconds,
  quantile,
  type Bench,
} from './with-product.ts'

const targetCount = Number(process.env['BENCH_TARGETS'] ?? 10_000)
/** `off`: no worker is killed. */
const kills = process.env['BENCH_KILL'] !== 'off'
/** `off`: skips the light load. */
const isLight = process.env['BENCH_LIGHT'] !== 'off'
/**
 * Targets per worker at a time. With the default, two cores, which also run the database and the sandbox, mostly wait for
 * the networks, as the ideal assumes. The product's own default is for uploads that take minutes.
 */
const atATime = Number(process.env['PUBLISH_CONCURRENCY'] ?? 5)
/** A folder for the `node --cpu-prof` profile of each process that exits normally. */
const profiles = process.env['BENCH_PROFILES']
const artistCount = 20
const workerCount = 2
const latencyMs = 50
const lightPosts = 100
const lightEveryMs = 300

/** A picture is posted to three networks, a video to all five: eight targets for every two posts. */
const pictureNetworks: readonly Platform[] = ['facebook', 'instagram', 'linkedin']
const kinds = { picture: pictureNetworks, video: platforms } as const
type Kind = keyof typeof kinds

type Studio = { artist: Artist; accounts: Record<Platform, SocialAccount>; media: Record<Kind, string[]> }
/** The id of the page that an artist posts to, at each network. */
type Pages = Record<Platform, string>

/**
 * Publishes 10,000 targets that are due at once by two workers, with 50 ms of latency per call. One worker is killed
 * halfway, and another one starts. Before that, a light load. Prints the duration against the ideal, in which only calls
 * take time; the delays of the light load; duplicates and losses; and memory.
 */
export async function run(): Promise<void> {
  const bench = await openBench({
    SANDBOX_PROCESSING_MS: '0',
    NETWORK_QUOTAS: 'off',
    RATE_LIMITS: 'off',
    PUBLISH_CONCURRENCY: String(atATime),
    ...(profiles ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` } : {}),
  })
  try {
    const networks = await bench.start('sandbox')
    await control(bench, 'POST', '/limits', { quotas: false })
    await bench.start('web')
    const pages = await makePages(bench)
    const studios = await Promise.all(pages.map(async (own, n) => await openStudio(bench, n, own)))
    const workers: ProductProcess[] = []
    for (let n = 0; n < workerCount; n++) workers.push(await bench.start('worker'))
    // A fault per network that delays each call by 50 ms and counts the calls.
    const clocks = Object.fromEntries(
      await Promise.all(
        platforms.map(
          async (one) => [one, await fault(bench, one, 'slow', '.', { times: 1e9, delayMs: latencyMs })] as const,
        ),
      ),
    ) as Record<Platform, string>
    const calls = async () =>
      Object.fromEntries(
        await Promise.all(platforms.map(async (one) => [one, await timesHit(bench, clocks[one])] as const)),
      ) as Record<Platform, number>

    // Copying the pictures of pages calls networks too.
    await eventually('the pages to be copied', async () => (await countProfileJobs(bench)) === 0, 120_000)
    const needed = await callsPerPost(studios, calls)
    if (isLight) await lightLoad(bench, studios)
    for (const worker of workers) await worker.end('SIGTERM')
    const { ids, perKind } = await schedule(studios)
    const callMs = await bareCallMs(bench)
    const before = await calls()
    const worked = await drain(bench, networks)
    const after = await calls()

    const callsNeeded = Object.fromEntries(
      platforms.map((one) => [
        one,
        sum((Object.keys(kinds) as Kind[]).map((kind) => perKind[kind] * (needed[kind][one] ?? 0))),
      ]),
    ) as Record<Platform, number>
    const perNetwork = platforms.map(
      (one) => `${platformNames[one]} ${after[one] - before[one]} of ${callsNeeded[one]}`,
    )
    console.log(`calls            made, of those needed without a kill: ${perNetwork.join(', ')}`)
    await report(bench, ids, { calls: sum(Object.values(callsNeeded)), callMs, worked })
  } finally {
    await bench.finish()
  }
}

/**
 * Makes a page at each network for each artist. With a shared one, the drain would wait for TikTok's turn of a login, and
 * a list of recent posts would be longer than the product reads after a kill.
 */
async function makePages(bench: Bench): Promise<Pages[]> {
  const made = await Promise.all(
    platforms.map(async (platform) => {
      const pages = await control<{ id: string }[]>(bench, 'POST', '/pages', { platform, count: artistCount })
      return [platform, pages.map((page) => page.id)] as const
    }),
  )
  return Array.from(
    { length: artistCount },
    (_, n) => Object.fromEntries(made.map(([platform, ids]) => [platform, ids[n]])) as Pages,
  )
}

async function openStudio(bench: Bench, n: number, own: Pages): Promise<Studio> {
  const artist = await bench.artist()
  const accounts: Partial<Record<Platform, SocialAccount>> = {}
  for (const platform of platforms) {
    // At Facebook and LinkedIn one login manages many pages.
    const account = await connect(
      bench,
      artist,
      platform,
      platform === 'facebook' || platform === 'linkedin' ? {} : { as: own[platform] },
    )
    accounts[platform] = { ...account, pages: account.pages.filter((page) => page.pageId === own[platform]) }
    if (accounts[platform].pages.length !== 1) throw new Error(`${platform} does not list page ${own[platform]}`)
  }
  const picture = await uploadPictures(artist, 1, [800, 1000])
  const bytes = videoFixture(n % 2 === 0 ? 'portrait-5s.mp4' : 'landscape-5s.mp4')
  return {
    artist,
    accounts: accounts as Record<Platform, SocialAccount>,
    media: { picture, video: [await uploadFile(artist, { name: 'sleeve.mp4', type: 'video/mp4', bytes })] },
  }
}

/** Schedules a post of this kind. Each has another text, since networks refuse duplicates. */
async function schedulePost(
  studio: Studio,
  kind: Kind,
  words: string,
  at: Date,
  networks: readonly Platform[] = kinds[kind],
): Promise<string> {
  const variants = networks.flatMap((one) =>
    variantsOf(studio.accounts[one], {
      title: words,
      message: words,
      ...(one === 'tiktok' ? { options: { tiktok: { privacyLevel: 'MUTUAL_FOLLOW_FRIENDS' as const } } } : {}),
    }),
  )
  const answer = await studio.artist.post<{ _id: string; message?: string }>('/api/posts/schedule', {
    mediaIds: studio.media[kind],
    variants,
    scheduledAt: at.toISOString(),
  })
  if (answer.status !== 201) throw new Error(`scheduling answered ${answer.status}: ${answer.body.message}`)
  return answer.body._id
}

/**
 * The number of calls that a post of each kind needs at each network: the average of the studios' two videos, and the
 * minimum of three counts, since a network that is polled too early is polled once more.
 */
async function callsPerPost(
  studios: readonly Studio[],
  calls: () => Promise<Record<Platform, number>>,
): Promise<Record<Kind, Record<Platform, number>>> {
  const needed: Partial<Record<Kind, Record<Platform, number>>> = {}
  const publish = async (kind: Kind, some: readonly Studio[], words: string) =>
    await Promise.all(
      some.map(
        async (studio, n) =>
          await untilSettled(
            studio.artist,
            await schedulePost(studio, kind, `${words} ${kind} ${n}`, new Date(Date.now() + 1000)),
            180_000,
          ),
      ),
    )
  for (const kind of Object.keys(kinds) as Kind[]) {
    // A warm-up, since renditions are made when they are first needed.
    await publish(kind, studios, 'A first')
    const counts: Record<Platform, number>[] = []
    for (const words of ['A second', 'A third', 'A fourth']) {
      const before = await calls()
      await publish(kind, studios.slice(0, 2), words)
      const after = await calls()
      counts.push(
        Object.fromEntries(platforms.map((one) => [one, (after[one] - before[one]) / 2])) as Record<Platform, number>,
      )
    }
    needed[kind] = Object.fromEntries(
      platforms.map((one) => [one, Math.min(...counts.map((count) => count[one]))]),
    ) as Record<Platform, number>
    console.log(
      `calls of a ${kind.padEnd(8)} ${kinds[kind].map((one) => `${platformNames[one]} ${needed[kind]?.[one]}`).join(', ')}`,
    )
  }
  return needed as Record<Kind, Record<Platform, number>>
}

/**
 * The duration of a call in milliseconds for a client that does nothing else, as many at a time as the workers make: the
 * 50 ms, and what HTTP and the sandbox take on this machine.
 */
async function bareCallMs(bench: Bench): Promise<number> {
  const call = async () => {
    const answer = await fetch(`${bench.sandboxUrl}/graph.facebook.com/v26.0/me`, { method: 'POST', body: '{}' })
    await answer.text()
  }
  const lanes = async (callsPerLane: number) =>
    await Promise.all(
      Array.from({ length: workerCount * atATime }, async () => {
        for (let n = 0; n < callsPerLane; n++) await call()
      }),
    )
  // The first calls open connections.
  await lanes(20)
  const startedAt = performance.now()
  await lanes(200)
  return (performance.now() - startedAt) / 200
}

/** Publishes a target every 300 ms, at each network in turn, and prints the delay of the first attempts. */
async function lightLoad(bench: Bench, studios: readonly Studio[]): Promise<void> {
  const first = Date.now() + 20_000
  const ids: string[] = []
  for (let n = 0; n < lightPosts; n++) {
    const studio = studios[n % studios.length]
    if (studio)
      ids.push(
        await schedulePost(studio, 'video', `Light ${n}`, new Date(first + n * lightEveryMs), [
          platforms[n % platforms.length] ?? 'facebook',
        ]),
      )
  }
  await eventually('the light load to be posted', async () => (await countOpen(bench)) === 0, 180_000)
  const rows = await bench.client.db
    .select({ due: min(posts.scheduledAt), began: min(publishAttempts.startedAt) })
    .from(publishAttempts)
    .innerJoin(postTargets, eq(postTargets.id, publishAttempts.targetId))
    .innerJoin(posts, eq(posts.id, postTargets.postId))
    .where(inArray(posts.id, ids))
    .groupBy(postTargets.id)
  const late = rows.map((row) => (row.began?.getTime() ?? 0) - (row.due?.getTime() ?? 0))
  console.log(
    `light load       ${lightPosts} targets, one every ${lightEveryMs} ms: begun late by ${quantile(late, 0.5)} ms (p50), ${quantile(late, 0.99)} ms (p99)`,
  )
}

/** Schedules all posts over the API, due at one time. */
async function schedule(studios: readonly Studio[]): Promise<{ ids: string[]; perKind: Record<Kind, number> }> {
  const at = new Date(Date.now() + 1000)
  const pairs = Math.ceil(targetCount / (kinds.picture.length + kinds.video.length))
  const jobs = Array.from({ length: pairs }, (_, n) => n)
  const ids: string[] = []
  const lane = async () => {
    for (let n = jobs.pop(); n !== undefined; n = jobs.pop()) {
      const studio = studios[n % studios.length]
      if (!studio) continue
      // The API requires a future time. It has passed when the workers start.
      const scheduledAt = new Date(Math.max(at.getTime(), Date.now() + 1000))
      ids.push(
        await schedulePost(studio, 'picture', `Flash ${n}`, scheduledAt),
        await schedulePost(studio, 'video', `Healed ${n}`, scheduledAt),
      )
    }
  }
  await Promise.all(Array.from({ length: 8 }, lane))
  await sleep(1500)
  return { ids, perKind: { picture: pairs, video: pairs } }
}

/**
 * Starts the workers, kills one when half of the targets are posted, starts another, and waits until all are final but
 * those whose call was lost with the worker. Returns the CPU seconds used.
 */
async function drain(bench: Bench, networks: ProductProcess): Promise<number> {
  const workers = await Promise.all(Array.from({ length: workerCount }, async () => await bench.start('worker')))
  const meters = workers.map((one) => meter(one.child))
  const ofNetworks = meter(networks.child)
  const postgresBefore = await postgresSeconds(bench)
  const startedAt = performance.now()
  const total = await countOpen(bench)
  const seen: { second: number; mb: number[] }[] = []
  const watch = setInterval(
    () =>
      seen.push({
        second: (performance.now() - startedAt) / 1000,
        mb: workers.map((one) => residentBytes(one.child) / megabyte),
      }),
    500,
  )
  let killed = false
  for (let open = total; open > 0; open = await countOpen(bench)) {
    if (kills && !killed && open <= total / 2) {
      killed = true
      // The CPU time of a dead process cannot be read any more.
      const used = meters[0]?.() ?? 0
      await workers[0]?.end('SIGKILL')
      const next = await bench.start('worker')
      const since = meter(next.child)
      workers[0] = next
      meters[0] = () => used + since()
    }
    // Polls rarely, so that the measurement is not affected.
    await sleep(500)
  }
  clearInterval(watch)
  const seconds = (performance.now() - startedAt) / 1000
  const spent = {
    'the workers': sum(meters.map((used) => used())),
    Postgres: (await postgresSeconds(bench)) - postgresBefore,
    "the networks' stand-in": ofNetworks(),
  }
  const each = Object.entries(spent).map(([who, used]) => `${((used * 1000) / total).toFixed(1)} ms in ${who}`)
  console.log(
    `processor        ${each.join(', ')} for a target; ${sum(Object.values(spent)).toFixed(0)} s in all, in ${seconds.toFixed(0)} s on ${availableParallelism()} cores`,
  )
  const survivor = seen.map((one) => ({ second: one.second, mb: one.mb[1] ?? 0 }))
  const early = survivor
    .filter((one) => one.second > seconds * 0.15 && one.second < seconds * 0.35)
    .map((one) => one.mb)
  const late = survivor.filter((one) => one.second > seconds * 0.8).map((one) => one.mb)
  console.log(
    `memory           of the worker that lived: ${quantile(early, 0.5).toFixed(0)} MB in the first third, ${quantile(late, 0.5).toFixed(0)} MB at the end, at most ${Math.max(...survivor.map((one) => one.mb)).toFixed(0)} MB`,
  )
  return sum(Object.values(spent))
}

/** The CPU seconds a process has used since now. */
function meter(child: ProductProcess['child']): () => number {
  const before = processorSeconds(child)
  return () => processorSeconds(child) - before
}

async function countProfileJobs(bench: Bench): Promise<number> {
  const [row] = await bench.client.db.execute<{ n: number }>(
    sql`select count(*)::int as n from pgboss.job where name = ${profileQueue.name} and state < 'completed'`,
  )
  return row?.n ?? 0
}

/**
 * Without the targets whose call was lost with the killed worker: proving that a post is absent takes two minutes at
 * Facebook, and elsewhere the artist is asked after 45 minutes. Counted over all targets, which an index answers: a query
 * per post would cost as much as publishing some.
 */
async function countOpen(bench: Bench): Promise<number> {
  const [row] = await bench.client.db
    .select({ n: sql<number>`count(*)::int` })
    .from(postTargets)
    .where(
      sql`${postTargets.postedAt} is null and ${postTargets.failedAt} is null and ${postTargets.phase} not in ('posted', 'failed', 'unknown')`,
    )
  return row?.n ?? 0
}

/** Prints the outcome according to our rows and to the networks' feeds. */
async function report(
  bench: Bench,
  ids: readonly string[],
  { calls, callMs, worked }: { calls: number; callMs: number; worked: number },
): Promise<void> {
  const waited = (calls * callMs) / 1000
  const idealSeconds = waited / (workerCount * atATime)
  const { db } = bench.client
  const ours = sql`${postTargets.postId} = any(${sql.param(ids)}::uuid[])`
  const [ends] = await db
    .select({
      posted: sql<number>`count(*) filter (where ${postTargets.phase} = 'posted')::int`,
      sought: sql<number>`count(*) filter (where ${postTargets.phase} = 'unknown')::int`,
      all: sql<number>`count(*)::int`,
    })
    .from(postTargets)
    .where(ours)
  const failures = await db
    .select({ platform: postTargets.platform, message: postTargets.errorMessage })
    .from(postTargets)
    .where(sql`${ours} and ${postTargets.phase} = 'failed'`)
    .limit(5)
  const [first] = await db
    .select({ at: publishAttempts.startedAt })
    .from(publishAttempts)
    .innerJoin(postTargets, eq(postTargets.id, publishAttempts.targetId))
    .where(ours)
    .orderBy(asc(publishAttempts.startedAt))
    .limit(1)
  const isFound = sql`${postTargets.phase} <> 'unknown' and not exists (
    select from ${publishAttempts} a where a.target_id = ${postTargets.id} and a.to_phase = 'unknown')`
  const times = (
    await db
      .select({ at: postTargets.postedAt })
      .from(postTargets)
      .where(sql`${ours} and ${isFound}`)
  ).map((row) => ((row.at?.getTime() ?? 0) - (first?.at.getTime() ?? 0)) / 1000)
  const wanted = await db
    .select({
      platform: postTargets.platform,
      pageId: postTargets.pageId,
      text: postTargets.message,
      title: postTargets.title,
    })
    .from(postTargets)
    .where(sql`${ours} and ${postTargets.phase} <> 'unknown'`)
  const shown = new Map<string, number>()
  const keyOf = (one: { platform: string; pageId: string; text: string; title: string }) =>
    `${one.platform} ${one.pageId} ${one.text || one.title}`
  for (const post of await control<SandboxPost[]>(bench, 'GET', '/posts'))
    shown.set(keyOf(post), (shown.get(keyOf(post)) ?? 0) + 1)
  const counts = wanted.map((one) => shown.get(keyOf(one)) ?? 0)
  const seconds = Math.max(...times)
  console.log(
    `${ends?.all} targets     ${ends?.posted} posted; at the networks ${counts.filter((n) => n > 1).length} duplicates, ${counts.filter((n) => n === 0).length} lost`,
  )
  if (ends?.sought)
    console.log(`                 ${ends.sought} still searched for: their call was lost with the worker`)
  if (ends && times.length < ends.all) {
    const late = ends.all - times.length
    console.log(`                 ${late} left out below, since proving that a post is absent has its own time`)
  }
  for (const one of failures) console.log(`                 ${one.platform} failed: ${one.message}`)
  console.log(
    `drained          in ${seconds.toFixed(1)} s (99 % in ${quantile(times, 0.99).toFixed(1)} s); ideal ${idealSeconds.toFixed(1)} s with ${workerCount} × ${atATime} calls of ${callMs.toFixed(1)} ms at a time`,
  )
  console.log(
    `ratio            ${(seconds / idealSeconds).toFixed(2)} (99 %: ${(quantile(times, 0.99) / idealSeconds).toFixed(2)}; aim: at most 1.30); with calls of exactly ${latencyMs} ms ${((seconds / idealSeconds) * (callMs / latencyMs)).toFixed(2)}`,
  )
  // The concurrency at which networks and processors take the same time: with less the networks are the bottleneck,
  // with more the processors.
  const alone = worked / availableParallelism()
  console.log(
    `processors       alone need ${alone.toFixed(1)} s for it on ${availableParallelism()} cores, so that they are not the limit up to ${workerCount} × ${(waited / alone / workerCount).toFixed(1)} at a time (PUBLISH_CONCURRENCY)`,
  )
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
