import { findSession } from '@flashsheet/db/sessions'
import { drizzle } from 'drizzle-orm/postgres-js'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import * as path from 'node:path'
import { ListMediaInput } from '@flashsheet/contracts/media/schema'
import { ListPostsInput } from '@flashsheet/contracts/posts/schema'
import type { SubscriberCtx } from '../api/core/context.ts'
import { sha256 } from '../api/core/crypto.ts'
import { ownerScope } from '../api/core/scope.ts'
import { pageOfMedia } from '../api/features/media/service/list.ts'
import { pageOfPosts } from '../api/features/posts/service/read.ts'
import type { Artist } from '../api/testing/actors.ts'
import type { BareReads, Statement } from './with-bare-hono.ts'
import { sessionOf, type Bench } from './with-product.ts'
import {
  measureInTurn,
  formatRate,
  formatRatio,
  readPaths,
  withReads,
  type ReadPath,
  type Reads,
} from './with-reads.ts'

const services: Record<ReadPath, (ctx: SubscriberCtx) => Promise<unknown>> = {
  '/api/posts': async (ctx) => await pageOfPosts(ctx, ListPostsInput.parse({})),
  '/api/posts?limit=50': async (ctx) => await pageOfPosts(ctx, ListPostsInput.parse({ limit: 50 })),
  '/api/media': async (ctx) => await pageOfMedia(ctx, ListMediaInput.parse({})),
}

/**
 * Reads of an artist with 10,000 posts and a full library, through the app with a session and through a bare Hono handler
 * that reads the session, sends the same SQL to the same Postgres and returns the rows, in turn. Prints the rates, the
 * processor time of a request, and their ratio; the processor time hardly depends on what else the machine does. The app
 * adds the guard, contract and its own response shape.
 */
export async function run(): Promise<void> {
  await withReads(async (reads) => {
    const bare = fork(path.join(import.meta.dirname, 'with-bare-hono.ts'))
    try {
      bare.send(await bareReads(reads))
      const [port] = (await once(bare, 'message')) as [number]
      for (const [n, read] of readPaths.entries()) {
        const measured = await measureInTurn({
          bare: { url: `http://127.0.0.1:${port}/${n}`, headers: {}, child: bare },
          session: reads.toApp(read, sessionOf(reads.artist)),
        })
        console.log(
          `GET ${read}: session ${formatRate(measured.session)}, bare Hono ${formatRate(measured.bare)}; ` +
            `session by bare ${formatRatio(measured.session, measured.bare, '0.80')}`,
        )
      }
    } finally {
      bare.kill()
    }
  })
}

async function bareReads({ bench, artist }: Reads): Promise<BareReads> {
  const [sessionId = ''] = artist.cookies.values()
  const reads: BareReads['reads'] = {}
  for (const [n, read] of readPaths.entries()) reads[`/${n}`] = await statementsOf(bench, artist, services[read])
  const session = await statementsOf(bench, artist, async ({ db }) => await findSession(db, sha256(sessionId)))
  return { url: bench.client.url, session, reads }
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
