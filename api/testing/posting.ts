import { pageAddress } from '@flashsheet/contracts/page-address'
import type { Crop } from '@flashsheet/contracts/media/schema'
import type { Post, PostResult, VariantOptions } from '@flashsheet/contracts/posts/schema'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { posts, postTargets } from '@flashsheet/db/schema/posts'
import { picture } from '@flashsheet/sandbox/fixtures/videos'
import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { System } from '../core/context.ts'
import { sweepTargets } from '../features/posts/service/sweep.ts'
import type { Artist } from './actors.ts'
import type { TestApp } from './app.ts'
import { control, eventually, type SandboxPost } from './sandbox.ts'
import { openSystem } from './system.ts'
import { sendForm } from './uploads.ts'

let salt = 0

/**
 * Uploads pictures of this size to the artist's library; returns their ids. The default is the smallest size that every
 * network accepts without another rendition.
 */
export async function uploadPictures(
  artist: Artist,
  count = 1,
  size: readonly [number, number] = [320, 400],
): Promise<string[]> {
  const files = []
  for (let n = 0; n < count; n++)
    files.push({ name: `flash-${++salt}.jpg`, type: 'image/jpeg', bytes: await picture(size[0], size[1], salt) })
  return await idsOf(await sendForm(artist, files))
}

/** Uploads one file; returns its id. */
export async function uploadFile(artist: Artist, file: { name: string; type: string; bytes: Buffer }): Promise<string> {
  return (await idsOf(await sendForm(artist, [file])))[0] ?? ''
}

async function idsOf(answer: { status: number; body: unknown }): Promise<string[]> {
  if (answer.status !== 201) throw new Error(`the upload answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return (answer.body as { _id: string }[]).map((item) => item._id)
}

type VariantContent = {
  title?: string
  message?: string
  options?: z.input<typeof VariantOptions>
  crops?: (Crop | null)[]
}

/** One variant for each of these pages of an account, by default its first. */
export function variantsOf(account: SocialAccount, content: VariantContent = {}, pages = account.pages.slice(0, 1)) {
  return pages.map((page) => ({
    platform: account.platform,
    socialAccountId: account._id,
    pageId: page.pageId,
    title: '',
    message: 'Fresh flash',
    ...content,
  }))
}

/** Posts now; returns the post's id. */
export async function postNow(
  artist: Artist,
  body: { mediaIds: string[]; variants: unknown[]; requestId?: string; toGallery?: boolean },
): Promise<string> {
  const answer = await artist.post<PostResult>('/api/posts', body)
  if (answer.status !== 202) throw new Error(`posting answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body._id
}

export async function readPost(artist: Artist, postId: string): Promise<Post> {
  return await artist.trpc.posts.get.query({ postId })
}

/** The post, once every target is final. */
export async function untilSettled(artist: Artist, postId: string, timeoutMs = 20_000): Promise<Post> {
  let last: Post | undefined
  try {
    return await eventually(
      'the post to settle',
      async () => {
        last = await readPost(artist, postId)
        return last.status !== 'scheduled' && last
      },
      timeoutMs,
    )
  } catch (error) {
    throw new Error(`the post did not settle: ${JSON.stringify(last?.variants)}`, { cause: error })
  }
}

/** Like `untilSettled`, for a post with waits: advances the clock to each time at which its target is due. */
export async function untilSettledByClock(app: TestApp, system: System, artist: Artist, postId: string): Promise<Post> {
  return await eventually('the post to settle', async () => {
    const [target] = await app.client.db.select().from(postTargets).where(eq(postTargets.postId, postId))
    const dueAtMs = target?.leaseToken === null ? target.dueAt.getTime() : 0
    if (dueAtMs > app.clock.now().getTime()) {
      // The sweep starts targets that are ten seconds overdue.
      app.clock.set(new Date(dueAtMs + 11_000).toISOString())
      await sweepTargets(system)
    }
    const post = await readPost(artist, postId)
    return post.status !== 'scheduled' && post
  })
}

/** Makes a published post look as it does after a lost answer. */
export async function makeOutcomeUnknown(
  app: Pick<TestApp, 'client'>,
  postId: string,
  { keepsCheckpoint = false } = {},
): Promise<void> {
  const { db } = app.client
  const [target] = await db.select().from(postTargets).where(eq(postTargets.postId, postId))
  if (!target) throw new Error('the post has no target')
  const unknown = {
    pageUrl: pageAddress(target.platform, target.pageId, null),
    phase: 'failed' as const,
    unclear: true,
    postedAt: null,
    remoteId: null,
    permalink: null,
    reconcileAt: null,
    errorMessage: 'Nobody knows.',
  }
  await db
    .update(postTargets)
    .set({ ...unknown, ...(keepsCheckpoint ? {} : { checkpoint: {} }) })
    .where(eq(postTargets.postId, postId))
  await db.update(posts).set({ status: 'failed' }).where(eq(posts.id, postId))
}

/** The posts of a page at its network, with this text if one is given. */
export async function shownAt(
  app: Pick<TestApp, 'sandboxUrl'>,
  platform: string,
  pageId: string,
  text?: string,
): Promise<SandboxPost[]> {
  const posts = await control<SandboxPost[]>(
    app,
    'GET',
    `/posts?platform=${platform}&pageId=${encodeURIComponent(pageId)}`,
  )
  return text === undefined ? posts : posts.filter((post) => post.text === text || post.title === text)
}

export type FaultOptions = {
  method?: string
  skip?: number
  times?: number
  status?: number
  body?: unknown
  headers?: Record<string, string>
  delayMs?: number
}

/** As a fault's `delayMs`: holds the request until the faults are cleared. */
export const heldMs = 60_000

/** Scripts a fault at a network. */
export async function fault(
  app: Pick<TestApp, 'sandboxUrl'>,
  service: string,
  kind: string,
  path: string,
  options: FaultOptions = {},
): Promise<string> {
  return (await control<{ id: string }>(app, 'POST', '/faults', { service, kind, path, ...options })).id
}

/** How many times a scripted fault has been applied. */
export async function timesHit(app: Pick<TestApp, 'sandboxUrl'>, id: string): Promise<number> {
  const faults = await control<{ id: string; fired: number }[]>(app, 'GET', '/faults')
  return faults.find((one) => one.id === id)?.fired ?? 0
}

/**
 * Sweeps now, as a worker does every few seconds: for tests that moved the clock, since jobs wait by the real clock.
 */
export async function sweepNow(app: TestApp): Promise<void> {
  const { system, close } = await openSystem(app)
  await sweepTargets(system)
  await close()
}
