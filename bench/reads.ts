import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { mediaItems } from '@flashsheet/db/schema/media'
import { drizzle } from 'drizzle-orm/postgres-js'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import * as path from 'node:path'
import { ListMediaInput } from '@flashsheet/contracts/media/schema'
import { ListPostsInput } from '@flashsheet/contracts/posts/schema'
import type { SubscriberCtx } from '../api/core/context.ts'
import { newId } from '../api/core/ids.ts'
import { ownerScope } from '../api/core/scope.ts'
import { listMedia } from '../api/features/media/service/list.ts'
import { listPosts } from '../api/features/posts/service/read.ts'
import type { Artist } from '../api/testing/actors.ts'
import type { BareReads, Statement } from './with-bare-hono.ts'
import { insertPosts } from './with-posts.ts'
import { median, openBench, type Bench } from './with-product.ts'

const postCount = 10_000
const rounds = 5
const roundMs = 2000
const atOnce = 8

/**
 * Reads of an artist with 10,000 posts and a full library, through the app and through a bare Hono handler that sends
 * the same SQL to the same Postgres and returns the rows, alternately; prints both rates and their ratio. The app adds
 * the session, guard, contract and its own response shape.
 */
export async function run(): Promise<void> {
  const bench = await openBench({ RATE_LIMITS: 'off' })
  const bare = fork(path.join(import.meta.dirname, 'with-bare-hono.ts'))
  try {
    await bench.start('web')
    const artist = await bench.artist()
    await fill(bench, artist)
    const reads = {
      '/api/posts': await statementsOf(bench, artist, async (ctx) => await listPosts(ctx, ListPostsInput.parse({}))),
      '/api/posts?limit=50': await statementsOf(
        bench,
        artist,
        async (ctx) => await listPosts(ctx, ListPostsInput.parse({ limit: 50 })),
      ),
      '/api/media': await statementsOf(bench, artist, async (ctx) => await listMedia(ctx, ListMediaInput.parse({}))),
    }
    const paths = Object.keys(reads)
    const told: BareReads = {
      url: bench.client.url,
      reads: Object.fromEntries(paths.map((one, n) => [`/${n}`, reads[one as keyof typeof reads]])),
    }
    bare.send(told)
    const [port] = (await once(bare, 'message')) as [number]
    const cookie = [...artist.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    for (const [n, one] of paths.entries()) {
      const app = { url: `${bench.url}${one}`, headers: { cookie } }
      const bareOne = { url: `http://127.0.0.1:${port}/${n}`, headers: {} }
      const speeds: { app: number[]; bare: number[] } = { app: [], bare: [] }
      // The first round warms up compilers and caches of both.
      for (let round = 0; round <= rounds; round++) {
        for (const [name, target] of [
          ['bare', bareOne],
          ['app', app],
        ] as const) {
          const speed = await speedOf(target)
          if (round > 0) speeds[name].push(speed)
        }
      }
      const [ours, theirs] = [median(speeds.app), median(speeds.bare)]
      console.log(
        `GET ${one.padEnd(20)} the app ${ours.toFixed(0).padStart(5)} /s   bare Hono ${theirs.toFixed(0).padStart(5)} /s   ratio ${(ours / theirs).toFixed(2)} (aim: at least 0.70)`,
      )
    }
  } finally {
    bare.kill()
    await bench.finish()
  }
}

/** Inserts rows directly: nothing of them is published or served. */
async function fill(bench: Bench, artist: Artist): Promise<void> {
  const { db } = bench.client
  const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 600_000)
  const media = Array.from({ length: mediaLimits.libraryItems }, (_, n) => {
    const id = newId()
    const sha256 = n.toString(16).padStart(64, '0')
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
      sha256,
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

/** The statements that a service function sends, with their parameters. */
async function statementsOf(
  bench: Bench,
  artist: Artist,
  read: (ctx: SubscriberCtx) => Promise<unknown>,
): Promise<Statement[]> {
  const statements: Statement[] = []
  const db = drizzle(bench.client.sql, {
    logger: { logQuery: (query, params) => statements.push({ query, params: params as Statement['params'] }) },
  })
  // A read uses nothing else of its context.
  await read({ db, owner: ownerScope(artist.id) } as unknown as SubscriberCtx)
  return statements
}

/** Responses per second, with several clients that each repeat as soon as a response is complete. */
async function speedOf(target: { url: string; headers: Record<string, string> }): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const began = performance.now()
  const until = began + roundMs
  let count = 0
  const caller = async () => {
    while (performance.now() < until) {
      await ask(target, agent)
      count += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, caller))
  const speed = (count / (performance.now() - began)) * 1000
  agent.destroy()
  return speed
}

async function ask(target: { url: string; headers: Record<string, string> }, agent: Agent): Promise<void> {
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
