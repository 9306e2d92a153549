import { Deleted } from '@flashsheet/contracts/keys/schema'
import {
  CreatePostInput,
  ListPostsInput,
  Post,
  PostParam,
  PostResult,
  RetryPostInput,
  SchedulePostInput,
  UpdatePostInput,
} from '@flashsheet/contracts/posts/schema'
import { FreeSlot, NextSlotsInput, Queue, SaveQueueInput } from '@flashsheet/contracts/queue/schema'
import { z } from 'zod'
import { rawRow, row, type RestRow } from '../../core/rest.ts'
import { createPost } from './service/create.ts'
import { getQueue, nextSlots, saveQueue } from './service/queue.ts'
import { getPost, pageOfPosts, servePostThumbnail } from './service/read.ts'
import { cancelPost } from './service/remove.ts'
import { publishNow, retryPost } from './service/resend.ts'
import { updatePost } from './service/update.ts'
import { tiktokWebhook } from './webhook.ts'

export const postRest: readonly RestRow[] = [
  row('GET /api/posts', 'subscriber', 'posts:read', {
    input: ListPostsInput,
    answer: z.array(Post),
    isPaged: true,
    run: pageOfPosts,
  }),
  row('POST /api/posts', 'subscriber', 'posts:write', {
    input: CreatePostInput,
    answer: PostResult,
    status: 202,
    creates: true,
    run: createPost,
  }),
  row('POST /api/posts/schedule', 'subscriber', 'posts:write', {
    input: SchedulePostInput,
    answer: PostResult,
    status: 201,
    creates: true,
    run: createPost,
  }),
  row('PUT /api/posts/:postId', 'subscriber', 'posts:write', { input: UpdatePostInput, answer: Post, run: updatePost }),
  row('GET /api/posts/:postId', 'subscriber', 'posts:read', { input: PostParam, answer: Post, run: getPost }),
  row('DELETE /api/posts/:postId', 'subscriber', 'posts:write', { input: PostParam, answer: Deleted, run: cancelPost }),
  row('POST /api/posts/:postId/retry', 'subscriber', 'posts:write', {
    input: RetryPostInput,
    answer: Post,
    run: retryPost,
  }),
  row('POST /api/posts/:postId/publish', 'subscriber', 'posts:write', {
    input: PostParam,
    answer: Post,
    run: publishNow,
  }),
  row('GET /api/queue', 'subscriber', 'posts:read', { answer: Queue, run: getQueue }),
  row('PUT /api/queue', 'subscriber', 'posts:write', { input: SaveQueueInput, answer: Queue, run: saveQueue }),
  row('GET /api/queue/next', 'subscriber', 'posts:read', {
    input: NextSlotsInput,
    answer: z.array(FreeSlot),
    run: nextSlots,
  }),
  rawRow('POST /api/webhooks/tiktok', 'public', 'never', {
    takes: 'webhook',
    answer: { status: 200, is: 'nothing' },
    run: tiktokWebhook,
  }),
  rawRow('GET /files/posts/:postId/:position', 'signedIn', 'posts:read', {
    answer: { status: 200, is: 'bytes' },
    run: servePostThumbnail,
  }),
]
