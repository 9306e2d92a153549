import { postTargets } from '@flashsheet/db/schema/posts'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { System } from '../core/context.ts'
import { sweepTargets } from '../features/posts/service/sweep.ts'
import { createArtist, type Artist } from './actors.ts'
import { startTestApp, type TestApp } from './app.ts'
import { connect } from './connect.ts'
import { bareSystem, postNow, uploadPictures, variantsOf } from './posting.ts'
import { control, eventually } from './sandbox.ts'

/** An artist with a page at Facebook, and a unique message to post there. */
export type Poster = { artist: Artist; account: Awaited<ReturnType<typeof connect>>; pageId: string; message: string }

/** The target of a post to one page. */
export async function targetOf({ client }: Pick<TestApp, 'client'>, postId: string) {
  const [row] = await client.db.select().from(postTargets).where(eq(postTargets.postId, postId))
  if (!row) throw new Error('the post has no target')
  return row
}
export type Target = Awaited<ReturnType<typeof targetOf>>

/**
 * For a file of tests: the product with a worker, and a second system without one on the same database. Clears the
 * faults and resets the clock after each test.
 */
export function publishingFixture() {
  let app: TestApp
  let other: Awaited<ReturnType<typeof bareSystem>>
  let count = 0
  beforeAll(async () => {
    app = await startTestApp()
    other = await bareSystem(app)
  })
  afterAll(async () => {
    await other?.stop()
    await app?.stop()
  })
  afterEach(async () => {
    await control(app, 'DELETE', '/faults')
    app.clock.set(new Date().toISOString())
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
    /** Advances the product's clock and starts the targets that are due. */
    advance: async (seconds: number): Promise<void> => {
      app.clock.advance(seconds * 1000)
      await sweepTargets(other.system)
    },
  }
}
