import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { mediaItems } from '@flashsheet/db/schema/media'
import { findSession } from '@flashsheet/db/sessions'
import { drizzle } from 'drizzle-orm/postgres-js'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import * as path from 'node:path'
import { ListMediaInput } from '@flashsheet/contracts/media/schema'
import { ListPostsInput } from '@flashsheet/contracts/posts/schema'
import type { SubscriberCtx } from '../api/core/context.ts'
import { sha256 } from '../api/core/crypto.ts'
import { newId } from '../api/core/ids.ts'
import { ownerScope } from '../api/core/scope.ts'
import { listMedia } from '../api/features/media/service/list.ts'
import { listPosts } from '../api/features/posts/service/read.ts'
import type { Artist } from '../api/testing/actors.ts'
import type { BareReads, Statement } from './with-bare-hono.ts'
import { insertPosts } from './with-posts.ts'
import { median, openBench, processorSeconds, type Bench } from './with-product.ts'

const postCount = 10_000
const rounds = 15
const roundMs = 700
const atOnce = 8

type Target = { url: string; headers: Record<string, string>; child: Pick<ChildProcess, 'pid'> }
type Measured = { perSecond: number; processorMs: number }

/**
 * Reads of an artist with 10,000 posts and a full library, through the app with a session, through the app with an API
 * key, and through a bare Hono handler that reads the session, sends the same SQL to the same Postgres and returns the
 * rows, in turn. Prints the rates, the processor time of a request, and their ratios; the processor time hardly depends
 * on what else the machine does. The app adds the guard, contract and its own response shape.
 */
export async function run(): Promise<void> {
  const bench = await openBench({ RATE_LIMITS: 'off' })
  const bare = fork(path.join(import.meta.dirname, 'with-bare-hono.ts'))
  try {
    const product = await bench.start('web')
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
    const [sessionId = ''] = artist.cookies.values()
    const paths = Object.keys(reads)
    const told: BareReads = {
      url: bench.client.url,
      session: await statementsOf(bench, artist, async ({ db }) => await findSession(db, sha256(sessionId))),
      reads: Object.fromEntries(paths.map((one, n) => [`/${n}`, reads[one as keyof typeof reads]])),
    }
    bare.send(told)
    const [port] = (await once(bare, 'message')) as [number]
    const made = await artist.post<{ key: string }>('/api/keys', {
      name: 'bench',
      scopes: ['posts:read', 'media:read'],
    })
    const cookie = [...artist.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    for (const [n, one] of paths.entries()) {
      const app = { url: `${bench.url}${one}`, child: product.child }
      await measure(one, {
        bare: { url: `http://127.0.0.1:${port}/${n}`, headers: {}, child: bare },
        session: { ...app, headers: { cookie } },
        key: { ...app, headers: { authorization: `Bearer ${made.body.key}` } },
      })
    }
  } finally {
    bare.kill()
    await bench.finish()
  }
}

async function measure(read: string, targets: Record<'bare' | 'session' | 'key', Target>): Promise<void> {
  const names = ['bare', 'session', 'key'] as const
  const taken: Record<(typeof names)[number], Measured[]> = { bare: [], session: [], key: [] }
  // The first rounds warm up compilers and caches.
  for (let round = -2; round < rounds; round++) {
    for (const name of names) {
      const measured = await askFor(targets[name])
      if (round >= 0) taken[name].push(measured)
    }
  }
  const rate = (name: keyof typeof taken) => median(taken[name].map(({ perSecond }) => perSecond))
  const cost = (name: keyof typeof taken) => median(taken[name].map(({ processorMs }) => processorMs))
  const line = (name: keyof typeof taken) => `${rate(name).toFixed(0)} /s, ${cost(name).toFixed(2)} ms`
  console.log(
    `GET ${read}: session ${line('session')}, key ${line('key')}, bare Hono ${line('bare')}; ` +
      `session by bare ${(rate('session') / rate('bare')).toFixed(2)} (aim: at least 0.80; by processor time ${(cost('bare') / cost('session')).toFixed(2)}), ` +
      `key by session ${(rate('key') / rate('session')).toFixed(2)} (aim: at least 0.90; by processor time ${(cost('session') / cost('key')).toFixed(2)})`,
  )
}

/** Inserts rows directly: nothing of them is published or served. */
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

/** Several clients that each repeat as soon as a response is complete. */
async function askFor(target: Target): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const busyBefore = processorSeconds(target.child)
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
  const seconds = (performance.now() - began) / 1000
  const busy = processorSeconds(target.child) - busyBefore
  agent.destroy()
  return { perSecond: count / seconds, processorMs: (busy * 1000) / count }
}

async function ask(target: Pick<Target, 'url' | 'headers'>, agent: Agent): Promise<void> {
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
