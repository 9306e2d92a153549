import { toolMessages } from '@flashsheet/contracts/assistants/messages'
import { Deleted } from '@flashsheet/contracts/keys/schema'
import {
  AllowancesInput,
  ListPostsInput,
  PageAllowance,
  Post,
  PostParam,
  RetryPostInput,
} from '@flashsheet/contracts/posts/schema'
import { FreeSlot, NextSlotsInput } from '@flashsheet/contracts/queue/schema'
import { Network } from '@flashsheet/contracts/social/schema'
import { z } from 'zod'
import { changeOutput, postUrl, screenUrl, toolFor, type Tool } from '../../core/tools.ts'
import { listNetworks } from '../social/service/accounts.ts'
import { listAllowances } from './service/allowances.ts'
import { nextSlots } from './service/queue.ts'
import { getPost, pageOfPosts } from './service/read.ts'
import { cancelPost } from './service/remove.ts'
import { retryPost } from './service/resend.ts'

const readingTool = toolFor('subscriber', 'posts:read', 'reads')
const changingTool = toolFor('subscriber', 'posts:write', 'changes')

export const postTools: readonly Tool[] = [
  readingTool({
    name: 'list_posts',
    title: 'List posts',
    description:
      'The artist’s posts with what became of them, the newest made first. `from` (inclusive) and `to` (exclusive) go by where a post stands in the calendar. `nextCursor` leads to the next page.',
    input: ListPostsInput.extend({ limit: ListPostsInput.shape.limit.unwrap().default(20) }),
    answer: z.object({ posts: z.array(Post), nextCursor: z.string().nullable() }),
    run: async (ctx, input) => {
      const { items, next } = await pageOfPosts(ctx, input)
      return { posts: items, nextCursor: next ?? null }
    },
  }),
  readingTool({
    name: 'get_post',
    title: 'Read a post and its outcome',
    description:
      'One post. `status` says how it stands; each of `variants` is one page, with `permalink` once it is out, or `errorMessage` with the reason.',
    input: PostParam,
    answer: z.object({ post: Post, link: z.string() }),
    run: async (ctx, input) => ({ post: await getPost(ctx, input), link: postUrl(ctx, input.postId) }),
  }),
  readingTool({
    name: 'get_limits',
    title: 'Read what networks take, and what is left of the day',
    description:
      'What each network takes of words and media; and for the named pages, what is left of their daily allowance now and at each time in `scheduledAt`.',
    input: AllowancesInput.extend({ pages: AllowancesInput.shape.pages.default([]) }),
    answer: z.object({ networks: z.array(Network), allowances: z.array(PageAllowance) }),
    run: async (ctx, input) => ({ networks: listNetworks(ctx), allowances: await listAllowances(ctx, input) }),
  }),
  readingTool({
    name: 'next_slots',
    title: 'List free times of the queue',
    description:
      'The next free times of the artist’s weekly queue, and for which pages. schedule_draft takes the first by `next-slot`.',
    input: NextSlotsInput,
    answer: z.object({ slots: z.array(FreeSlot) }),
    run: async (ctx, input) => ({ slots: await nextSlots(ctx, input) }),
  }),
  changingTool({
    name: 'retry_post',
    title: 'Try failed pages again',
    description:
      'Tries the failed pages of a post again, or the one of `variantId` (`_id` of a variant). What is out is left alone.',
    reachesOut: true,
    input: RetryPostInput,
    answer: z.object({ ...changeOutput, post: Post }),
    run: async (ctx, input) => {
      const post = await retryPost(ctx, input)
      return { happened: toolMessages.retried, link: postUrl(ctx, input.postId), post }
    },
  }),
  changingTool({
    name: 'delete_post',
    title: 'Delete a planned post',
    description:
      'Deletes a post of which nothing has begun. What is out stays at the networks and cannot be taken back.',
    isIdempotent: true,
    input: PostParam,
    answer: Deleted.extend(changeOutput),
    run: async (ctx, input) => ({
      ...(await cancelPost(ctx, input)),
      happened: toolMessages.deleted,
      link: screenUrl(ctx, '/scheduled-posts'),
    }),
  }),
]
