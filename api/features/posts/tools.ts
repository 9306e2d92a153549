import { toolMessages } from '@flashsheet/contracts/assistants/messages'
import { Deleted } from '@flashsheet/contracts/keys/schema'
import {
  AllowancesInput,
  CreatePostInput,
  ListPostsInput,
  PageAllowance,
  Post,
  PostParam,
  PostResult,
  RetryPostInput,
  SchedulePostInput,
} from '@flashsheet/contracts/posts/schema'
import { Network } from '@flashsheet/contracts/social/schema'
import { z } from 'zod'
import type { RequestCtx } from '../../core/context.ts'
import { done, screenOf, tool, type Tool } from '../../core/tools.ts'
import { listNetworks } from '../social/service/accounts.ts'
import { listAllowances } from './service/allowances.ts'
import { createPost, schedulePost } from './service/create.ts'
import { getPost, pageOfPosts } from './service/read.ts'
import { cancelPost } from './service/remove.ts'
import { retryPost } from './service/resend.ts'

const postScreen = (ctx: RequestCtx, postId: string) => screenOf(ctx, `/scheduled-posts?post=${postId}`)

/** Required of assistants, whose calls are repeated by programs that nobody watches. */
const requestId = z.string({ error: toolMessages.requestIdRequired }).min(1).max(200)
const repeats = 'The same `requestId` with the same content posts once, however often it is sent.'
const content =
  '`mediaIds` are of list_media, one video or up to ten pictures. `variants` has one entry for each page: `platform`, `socialAccountId` and `pageId` of list_accounts, `message` (the caption) and `title`; TikTok also needs `options.tiktok.privacyLevel`.'

export const postTools: readonly Tool[] = [
  tool({
    name: 'list_posts',
    title: 'List posts',
    description:
      'The artist’s posts with what became of them, the newest made first. `from` (inclusive) and `to` (exclusive) go by where a post stands in the calendar. `nextCursor` leads to the next page.',
    guard: 'subscriber',
    key: 'posts:read',
    effect: 'reads',
    input: ListPostsInput.extend({ limit: ListPostsInput.shape.limit.unwrap().default(20) }),
    answer: z.object({ posts: z.array(Post), nextCursor: z.string().nullable() }),
    run: async (ctx, input) => {
      const { items, next } = await pageOfPosts(ctx, input)
      return { posts: items, nextCursor: next ?? null }
    },
  }),
  tool({
    name: 'get_post',
    title: 'Read a post and its outcome',
    description:
      'One post. `status` says how it stands; each of `variants` is one page, with `permalink` once it is out, or `errorMessage` with the reason.',
    guard: 'subscriber',
    key: 'posts:read',
    effect: 'reads',
    input: PostParam,
    answer: z.object({ post: Post, link: z.string() }),
    run: async (ctx, input) => ({ post: await getPost(ctx, input), link: postScreen(ctx, input.postId) }),
  }),
  tool({
    name: 'get_limits',
    title: 'Read what networks take, and what is left of the day',
    description:
      'What each network takes of words and media; and for the named pages, what is left of their daily allowance now and at `times`.',
    guard: 'subscriber',
    key: 'posts:read',
    effect: 'reads',
    input: AllowancesInput.extend({ pages: AllowancesInput.shape.pages.default([]) }),
    answer: z.object({ networks: z.array(Network), allowances: z.array(PageAllowance) }),
    run: async (ctx, input) => ({ networks: listNetworks(ctx), allowances: await listAllowances(ctx, input) }),
  }),
  tool({
    name: 'post_now',
    title: 'Post now',
    description: `Posts to each page at once, for everybody to see. Only when the artist asked for this post, now. ${content} ${repeats}`,
    guard: 'subscriber',
    key: 'posts:write',
    effect: 'adds',
    creates: true,
    isIdempotent: true,
    reachesOut: true,
    input: CreatePostInput.extend({ requestId }),
    answer: PostResult.extend(done),
    run: async (ctx, input) => {
      const made = await createPost(ctx, input)
      return { happened: toolMessages.sent(made.targets.length), link: postScreen(ctx, made._id), ...made }
    },
  }),
  tool({
    name: 'schedule_post',
    title: 'Schedule a post',
    description: `Plans a post, which then goes out by itself at \`scheduledAt\`. Only when the artist asked for this post at this time. ${content} ${repeats}`,
    guard: 'subscriber',
    key: 'posts:write',
    effect: 'adds',
    creates: true,
    isIdempotent: true,
    reachesOut: true,
    input: SchedulePostInput.extend({ requestId }),
    answer: PostResult.extend(done),
    run: async (ctx, input) => {
      const made = await schedulePost(ctx, input)
      const happened = toolMessages.scheduled(input.scheduledAt, made.targets.length)
      return { happened, link: postScreen(ctx, made._id), ...made }
    },
  }),
  tool({
    name: 'retry_post',
    title: 'Try failed pages again',
    description:
      'Tries the failed pages of a post again, or the one of `variantId` (`_id` of a variant). What is out is left alone.',
    guard: 'subscriber',
    key: 'posts:write',
    effect: 'changes',
    reachesOut: true,
    input: RetryPostInput,
    answer: z.object({ ...done, post: Post }),
    run: async (ctx, input) => {
      const post = await retryPost(ctx, input)
      return { happened: toolMessages.retried, link: postScreen(ctx, input.postId), post }
    },
  }),
  tool({
    name: 'delete_post',
    title: 'Delete a planned post',
    description:
      'Deletes a post of which nothing has begun. What is out stays at the networks and cannot be taken back.',
    guard: 'subscriber',
    key: 'posts:write',
    effect: 'changes',
    isIdempotent: true,
    input: PostParam,
    answer: Deleted.extend(done),
    run: async (ctx, input) => ({
      ...(await cancelPost(ctx, input)),
      happened: toolMessages.deleted,
      link: screenOf(ctx, '/scheduled-posts'),
    }),
  }),
]
