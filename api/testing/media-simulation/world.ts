import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { picture, videoFixture } from '@flashsheet/sandbox/fixtures/videos'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { readdirSync, statSync, utimesSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import * as path from 'node:path'
import type { ProcessPool } from '../../core/process-pool.ts'
import type { Artist } from '../actors.ts'
import { createArtist } from '../actors.ts'
import type { TestApp } from '../app.ts'
import { gif, padded, paddedVideo } from '../bad-files.ts'
import type { Bucket } from '../bucket.ts'
import { openStudio } from '../booking.ts'
import { connect } from '../connect.ts'
import type { Random } from '../random.ts'
import { emptyLibrary, type Library, type SentFile, shaOf } from './model.ts'
import { type Fault, type Process, startProcess } from './process.ts'

export type Owner = {
  artist: Artist
  account: SocialAccount
  library: Library
  domainName: string
  /** Its account is being deleted. */
  isClosing: boolean
}

export type World = {
  app: TestApp
  bucket: Bucket | undefined
  filePool: ProcessPool
  random: Random
  processes: Process[]
  owners: Owner[]
  admin: Artist
  /** The number of files and requests so far. */
  count: number
  /** Whether calls fail in this step. */
  isFaulty: boolean
  /** Media whose gallery entry several operations of this step change. */
  touched: Set<string>
  /** A multipart upload may exist of which no process knows; a lifecycle rule of the bucket deletes it. */
  mayLeaveParts: boolean
  /** Failed runs of jobs by id. */
  failures: Map<string, number>
  stamped: Set<string>
  fileAddress: (file: SentFile, way: string) => string
  check: (isTrue: boolean, ...texts: unknown[]) => void
  trace: string[]
}

export const nowOf = ({ app }: World): number => app.clock.now().getTime()

const sources = {
  jpeg: await picture(64, 80, 3),
  png: await picture(40, 30, 4, 'png'),
  mp4: videoFixture('portrait-5s.mp4'),
}
export const posterBytes = (world: World): Promise<Buffer> => picture(90, 160, (world.count += 1))

/** A new file, each with a name and bytes of its own. */
export function makeFile(world: World): SentFile {
  const { random, bucket } = world
  const n = (world.count += 1)
  const kind = random.pick(['jpeg', 'jpeg', 'jpeg', 'jpeg', 'jpeg', 'png', 'mp4', 'bad'] as const)
  const isBig = random.oneIn(bucket ? 4 : 8)
  const extra = isBig
    ? random.whole(bucket ? 5_200_000 : 500_000, bucket ? 11_000_000 : 2_000_000)
    : random.whole(20, 3000)
  const source = kind === 'bad' ? gif : sources[kind]
  const bytes = kind === 'mp4' ? paddedVideo(source, source.length + extra) : padded(source, source.length + extra)
  bytes.write(`file ${n}`, bytes.length - 12)
  // Different bytes everywhere, so that a part in a wrong place is found.
  for (let at = source.length + 16; at < bytes.length - 12; at += 4096) bytes.writeUInt32LE(at * 31 + n, at - 8)
  const type = kind === 'bad' ? 'image/jpeg' : kind === 'mp4' ? 'video/mp4' : `image/${kind}`
  return { name: `${n}.${kind === 'bad' ? 'jpeg' : kind}`, type, bytes, sha: shaOf(bytes), isValid: kind !== 'bad' }
}

/** Serves files to be fetched: `good`, `later` slowly, and `broken` breaks off. */
export async function startFileServer() {
  const files = new Map<string, SentFile>()
  const server = createServer((incoming, outgoing) => {
    const [, way = '', name = ''] = (incoming.url ?? '').split('/')
    const file = files.get(name)
    if (!file) return void outgoing.writeHead(404).end()
    outgoing.writeHead(200, { 'content-type': file.type, 'content-length': file.bytes.length })
    if (way === 'good') return void outgoing.end(file.bytes)
    const half = Math.floor(file.bytes.length / 2)
    outgoing.write(file.bytes.subarray(0, half))
    setTimeout(() => (way === 'broken' ? outgoing.destroy() : outgoing.end(file.bytes.subarray(half))), 30)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: (file: SentFile, way: string) => {
      files.set(file.name, file)
      return `http://127.0.0.1:${port}/${way}/${file.name}`
    },
    stop: () => {
      server.close().closeAllConnections()
    },
  }
}

export async function openOwner(app: TestApp): Promise<Owner> {
  const studio = await openStudio(app)
  return {
    artist: studio,
    domainName: studio.domainName,
    account: await connect(app, studio, 'facebook'),
    library: emptyLibrary(),
    isClosing: false,
  }
}

export const openAdmin = async (app: TestApp): Promise<Artist> => await createArtist(app, { admin: true })

/** Plans the faults of a step. */
export function planFaults(world: World): string {
  const { random, processes, bucket } = world
  const plan = random.pick(['none', 'none', 'none', 'one', 'one', 'one', 'outage', 'bucket'] as const)
  if (plan === 'none' || (plan === 'bucket' && !bucket)) return ''
  world.isFaulty = true
  if (plan === 'outage') {
    for (const one of processes) one.nextFault = (what) => (what === 'storage' ? 'refused' : undefined)
    return 'the storage is away'
  }
  if (plan === 'bucket') {
    let skipped = random.whole(0, 12)
    let left = random.whole(1, 5)
    const fault = random.pick(['refused', 'lost', 'lost'] as const)
    world.mayLeaveParts ||= fault === 'lost'
    const text = `the bucket: ${fault} ${left} times after ${skipped}`
    bucket?.disturb(() => (--skipped >= 0 || --left < 0 ? undefined : fault))
    return text
  }
  const fault: Fault = random.pick(['refused', 'lost', 'lost', 'die before', 'die after', 'die after'])
  const what = random.pick(['storage', 'database'] as const)
  const which = random.whole(0, processes.length - 1)
  world.mayLeaveParts ||= fault.startsWith('die')
  const nth = random.whole(1, what === 'storage' ? 14 : 20)
  let left = nth
  processes[which]!.nextFault = (called) => (called === what && --left === 0 ? fault : undefined)
  return `process ${which}: ${fault} at call ${nth} of the ${what}`
}

/** Ends the faults, waits for running requests, and starts dead processes again. */
export async function recover(world: World): Promise<void> {
  const { app, processes, bucket } = world
  await Promise.all(processes.map(async (one) => await one.untilIdle()))
  bucket?.disturb(() => undefined)
  for (const [index, one] of processes.entries()) {
    one.nextFault = () => undefined
    if (!one.isDead()) continue
    await one.stop()
    // Its leases expire after 15 seconds.
    await app.client.sql`delete from leases`
    processes[index] = await startProcess(app, world.filePool)
    world.trace.push(`process ${index} is started again`)
  }
  world.isFaulty = false
  stampFiles(world)
}

/** Sets the time of new files to the simulated time. */
function stampFiles(world: World): void {
  const { app, bucket, stamped } = world
  if (bucket) return
  const folder = path.join(app.dataDir, 'storage')
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    if (!entry.isFile() || stamped.has(`${file} ${statSync(file).ino}`)) continue
    stamped.add(`${file} ${statSync(file).ino}`)
    utimesSync(file, app.clock.now(), app.clock.now())
  }
}

type Job = { id: string; name: string; data: object }

/** Jobs of the simulated queues. Others are dropped. */
export async function waitingJobs({ app: { client }, processes }: World): Promise<Job[]> {
  const rows = (await client.sql`
    select id, name, data from pgboss.job where state in ('created', 'retry') order by created_on`) as unknown as Job[]
  const [first] = processes
  const known = rows.filter((row) => first!.handlers.has(row.name))
  const others = rows.filter((row) => !known.includes(row)).map((row) => row.id)
  if (others.length > 0) await client.sql`delete from pgboss.job where id in ${client.sql(others)}`
  return known
}

/** How often a fetch is tried; the other queues try for weeks. */
const fetchTries = 6

/** Runs a job, sometimes in both processes at once. */
export async function runJob(world: World, { id, name, data }: Job): Promise<void> {
  const { app, random, processes, failures, trace } = world
  const chosen = random.oneIn(6) ? processes : [random.pick(processes)]
  const runs = await Promise.allSettled(chosen.map(async (one) => await one.handlers.get(name)!(data ?? {})))
  const isDone = runs.some((run) => run.status === 'fulfilled')
  for (const run of runs) if (run.status === 'rejected') trace.push(`${name} failed: ${String(run.reason)}`)
  const tries = (failures.get(id) ?? 0) + 1
  failures.set(id, tries)
  if (isDone || (name === 'media.fetch-from-url' && tries >= fetchTries))
    await app.client.sql`delete from pgboss.job where id = ${id}`
}

/** Runs a scheduled job in one process. A failed one is repeated by its next time. */
export async function runScheduled(world: World, name: string): Promise<void> {
  const { random, processes, trace } = world
  const handler = random.pick(processes).handlers.get(name)
  if (!handler) throw new Error(`there is no job ${name}`)
  await handler({}).catch((error: unknown) => trace.push(`${name} failed: ${String(error)}`))
}
