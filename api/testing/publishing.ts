import { posts, postTargets } from '@flashsheet/db/schema/posts'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { System } from '../core/context.ts'
import { newId } from '../core/ids.ts'
import { sweepTargets } from '../features/posts/service/sweep.ts'
import { createArtist, type Artist } from './actors.ts'
import { startTestApp, type TestApp } from './app.ts'
import { connect } from './connect.ts'
import { postNow, uploadPictures, variantsOf } from './posting.ts'
import { control, eventually } from './sandbox.ts'
import { openSystem } from './system.ts'

/** An artist with a page at Facebook, and a unique message to post there. */
export type Poster = { artist: Artist; account: Awaited<ReturnType<typeof connect>>; pageId: string; message: string }

type AppOptions = NonNullable<Parameters<typeof startTestApp>[0]>

/** The target of a post to one page. */
export async function targetOf({ client }: Pick<TestApp, 'client'>, postId: string) {
  const [row] = await client.db.select().from(postTargets).where(eq(postTargets.postId, postId))
  if (!row) throw new Error('the post has no target')
  return row
}
export type Target = Awaited<ReturnType<typeof targetOf>>

/** Inserts posts with one target each into the tables, due at `dueAt`, by default one of Facebook in phase `scheduled`. */
export async function insertTargets(
  { db }: Pick<TestApp['client'], 'db'>,
  userId: string,
  dueAt: Date,
  columns: Partial<typeof postTargets.$inferInsert> = {},
  count = 1,
): Promise<{ postId: string; targetId: string }[]> {
  const inserted = Array.from({ length: count }, () => ({ postId: newId(), targetId: newId() }))
  const times = { createdAt: dueAt, updatedAt: dueAt }
  const status = columns.phase === 'posted' ? ('posted' as const) : ('scheduled' as const)
  const post = { userId, status, scheduledAt: dueAt, timeZone: 'UTC', requestHash: '', ...times }
  await db.insert(posts).values(inserted.map(({ postId }) => ({ ...post, id: postId, requestId: postId })))
  const target = {
    userId,
    platform: 'facebook' as const,
    pageId: '1',
    pageName: 'Ink',
    title: '',
    message: 'Fresh flash',
    options: {},
    phase: 'scheduled' as const,
    dueAt,
    checkpoint: {},
    ...times,
    ...columns,
  }
  await db.insert(postTargets).values(inserted.map(({ postId, targetId }) => ({ ...target, id: targetId, postId })))
  return inserted
}

/**
 * Registers the hooks of a test file: the product with a worker (none with `role: 'web'`), and a second system without one. After each test
 * the sandbox's faults are removed and the clock is set to `startAt`, by default the real time.
 */
export function publishingFixture(options: Pick<AppOptions, 'role' | 'env' | 'startAt'> = {}) {
  let app: TestApp
  let other: Awaited<ReturnType<typeof openSystem>>
  let count = 0
  beforeAll(async () => {
    app = await startTestApp(options)
    other = await openSystem(app)
  })
  afterAll(async () => {
    await other?.close()
    await app?.stop()
  })
  afterEach(async () => {
    // The process with the role `web` has no sandbox.
    if (options.role !== 'web') await control(app, 'DELETE', '/faults')
    app.clock.set(options.startAt ?? new Date().toISOString())
  })
  return {
    get app(): TestApp {
      return app
    },
    get system(): System {
      return other.system
    },
    createPoster: async (): Promise<Poster> => {
      const artist = await createArtist(app)
      const account = await connect(app, artist, 'facebook')
      return { artist, account, pageId: account.pages[0]?.pageId ?? '', message: `Flash of the day ${++count}` }
    },
    /** Posts now; returns the post's id. */
    post: async ({ artist, account, message }: Poster, pictures = 1): Promise<string> => {
      const mediaIds = await uploadPictures(artist, pictures)
      return await postNow(artist, { mediaIds, variants: variantsOf(account, { message }) })
    },
    /** Returns the post's target once it is in this phase, after this many tries, and no worker holds its lease. */
    untilIdle: async (postId: string, phase: string, tries?: number): Promise<Target> =>
      await eventually(`the target to be idle in ${phase}`, async () => {
        const target = await targetOf(app, postId)
        const isIdle = target.phase === phase && target.leaseToken === null
        return isIdle && (tries === undefined || target.tries === tries) && target
      }),
    /** Moves the clock past each wait until the post's target is final; calls `onWait` with each waiting target. */
    throughWaits: async (postId: string, onWait: (target: Target) => void = () => {}): Promise<void> => {
      for (let waits = 0; waits < 100; waits += 1) {
        const target = await eventually('the target to be idle', async () => {
          const row = await targetOf(app, postId)
          return row.leaseToken === null && row.phase !== 'scheduled' && row.phase !== 'claimed' && row
        })
        if (target.phase === 'posted' || target.phase === 'failed') return
        onWait(target)
        app.clock.set(new Date(Math.max(app.clock.now().getTime(), target.dueAt.getTime()) + 11_000).toISOString())
        await sweepTargets(other.system)
        await eventually('the target to change', async () => (await targetOf(app, postId)).updatedAt > target.updatedAt)
      }
      throw new Error('the target did not become final')
    },
    /** Advances the product's clock and starts the targets that are due. */
    advance: async (seconds: number): Promise<void> => {
      app.clock.advance(seconds * 1000)
      await sweepTargets(other.system)
    },
  }
}
