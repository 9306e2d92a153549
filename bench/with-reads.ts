import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { mediaItems } from '@flashsheet/db/schema/media'
import type { ChildProcess } from 'node:child_process'
import { Agent, request } from 'node:http'
import { newId } from '../api/core/ids.ts'
import type { Artist } from '../api/testing/actors.ts'
import { insertPosts } from './with-posts.ts'
import { median, openBench, processorSeconds, type Bench } from './with-product.ts'

const postCount = 10_000
const rounds = 15
const roundMs = 700
const clientCount = 8

/** The reads that are measured: of an artist with 10,000 posts and a full library. */
export const readPaths = ['/api/posts', '/api/posts?limit=50', '/api/media'] as const
export type ReadPath = (typeof readPaths)[number]

/** The requested address, and the process that answers. */
export type Target = { url: string; headers: Record<string, string>; child: Pick<ChildProcess, 'pid'> }
/** Medians of all rounds: answers a second, and the processor time of one. */
export type Measured = { perSecond: number; processorMs: number }
export type Reads = { bench: Bench; artist: Artist; toApp: (path: ReadPath, headers: Record<string, string>) => Target }

/** Runs `measure` with one web process and an artist with the data that is read. */
export async function withReads(measure: (reads: Reads) => Promise<void>): Promise<void> {
  const bench = await openBench({ RATE_LIMITS: 'off' })
  try {
    const { child } = await bench.start('web')
    const artist = await bench.artist()
    await fill(bench, artist)
    await measure({ bench, artist, toApp: (path, headers) => ({ url: `${bench.url}${path}`, headers, child }) })
  } finally {
    await bench.finish()
  }
}

/** Requests from the targets in turn, round by round, so that other load affects all of them. */
export async function measureInTurn<Name extends string>(
  targets: Readonly<Record<Name, Target>>,
): Promise<Record<Name, Measured>> {
  const names = Object.keys(targets) as Name[]
  const results = names.map((name) => ({ name, measured: [] as Measured[] }))
  // The first rounds warm up compilers and caches.
  for (let round = -2; round < rounds; round++) {
    for (const { name, measured } of results) {
      const one = await measureRound(targets[name])
      if (round >= 0) measured.push(one)
    }
  }
  const medians = ({ measured }: (typeof results)[number]): Measured => ({
    perSecond: median(measured.map(({ perSecond }) => perSecond)),
    processorMs: median(measured.map(({ processorMs }) => processorMs)),
  })
  return Object.fromEntries(results.map((one) => [one.name, medians(one)])) as Record<Name, Measured>
}

export const formatRate = ({ perSecond, processorMs }: Measured) =>
  `${perSecond.toFixed(0)} /s, ${processorMs.toFixed(2)} ms`

/** The rate relative to `reference`, by the clock and by the processor time of an answer. */
export function formatRatio(measured: Measured, reference: Measured, aim: string): string {
  const byProcessor = (reference.processorMs / measured.processorMs).toFixed(2)
  return `${(measured.perSecond / reference.perSecond).toFixed(2)} (aim: at least ${aim}; by processor time ${byProcessor})`
}

/** Inserts rows directly; none of them is published or served. */
async function fill(bench: Bench, artist: Artist): Promise<void> {
  const { db } = bench.client
  const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 600_000)
  const media = Array.from({ length: mediaLimits.libraryItems }, (_, n) => {
    const id = newId()
    const keys = {
      originalKey: `media/${id}/original`,
      displayKey: `media/${id}/display.jpg`,
      thumbnailKey: `media/${id}/thumbnail-0.webp`,
    }
    return {
      id,
      userId: artist.id,
      kind: 'image' as const,
      mimeType: 'image/jpeg' as const,
      fileName: `flash-${n}.jpg`,
      bytes: 500_000 + n,
      width: 1200,
      height: 1600,
      ...keys,
      createdAt: at(n),
    }
  })
  await db.insert(mediaItems).values(media)
  await insertPosts(
    db,
    artist,
    media,
    Array.from({ length: postCount }, (_, n) => ({ status: 'posted' as const, at: at(n) })),
  )
  await bench.client.sql`analyze`
}

/** Measures several clients, each of which repeats the request as soon as a response is complete. */
async function measureRound(target: Target): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: clientCount })
  const busyBefore = processorSeconds(target.child)
  const startedAt = performance.now()
  const until = startedAt + roundMs
  let count = 0
  const caller = async () => {
    while (performance.now() < until) {
      await sendRequest(target, agent)
      count += 1
    }
  }
  await Promise.all(Array.from({ length: clientCount }, caller))
  const seconds = (performance.now() - startedAt) / 1000
  const busy = processorSeconds(target.child) - busyBefore
  agent.destroy()
  return { perSecond: count / seconds, processorMs: (busy * 1000) / count }
}

async function sendRequest(target: Pick<Target, 'url' | 'headers'>, agent: Agent): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const sent = request(target.url, { agent, headers: target.headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${target.url} answered ${answer.statusCode}`))
      answer.resume()
      answer.once('end', () => resolve())
    })
    sent.once('error', reject)
    sent.end()
  })
}
