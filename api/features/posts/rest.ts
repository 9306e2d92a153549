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
import { createPost, schedulePost } from './service/create.ts'
import { getQueue, nextSlots, saveQueue } from './service/queue.ts'
import { getPost, pageOfPosts, servePostThumbnail } from './service/read.ts'
import { cancelPost } from './service/remove.ts'
import { publishNow, retryPost } from './service/resend.ts'
import { updatePost } from './service/update.ts'
import { tiktokWebhook } from './webhook.ts'

export const postRest: readonly RestRow[] = [
  row({
    method: 'GET',
    path: '/api/posts',
    guard: 'subscriber',
    key: 'posts:read',
    answer: z.array(Post),
    input: ListPostsInput,
    isPaged: true,
    run: pageOfPosts,
  }),
  row({
    method: 'POST',
    path: '/api/posts',
    guard: 'subscriber',
    key: 'posts:write',
    creates: true,
    answer: PostResult,
    input: CreatePostInput,
    status: 202,
    run: createPost,
  }),
  row({
    method: 'POST',
    path: '/api/posts/schedule',
    guard: 'subscriber',
    key: 'posts:write',
    creates: true,
    answer: PostResult,
    input: SchedulePostInput,
    status: 201,
    run: schedulePost,
  }),
  row({
    method: 'PUT',
    path: '/api/posts/:postId',
    guard: 'subscriber',
    key: 'posts:write',
    answer: Post,
    input: UpdatePostInput,
    run: updatePost,
  }),
  row({
    method: 'GET',
    path: '/api/posts/:postId',
    guard: 'subscriber',
    key: 'posts:read',
    answer: Post,
    input: PostParam,
    run: getPost,
  }),
  row({
    method: 'DELETE',
    path: '/api/posts/:postId',
    guard: 'subscriber',
    key: 'posts:write',
    answer: Deleted,
    input: PostParam,
    run: cancelPost,
  }),
  row({
    method: 'POST',
    path: '/api/posts/:postId/retry',
    guard: 'subscriber',
    key: 'posts:write',
    answer: Post,
    input: RetryPostInput,
    run: retryPost,
  }),
  row({
    method: 'POST',
    path: '/api/posts/:postId/publish',
    guard: 'subscriber',
    key: 'posts:write',
    answer: Post,
    input: PostParam,
    run: publishNow,
  }),
  row({
    method: 'GET',
    path: '/api/queue',
    guard: 'subscriber',
    key: 'posts:read',
    answer: Queue,
    input: z.object({}),
    run: getQueue,
  }),
  row({
    method: 'PUT',
    path: '/api/queue',
    guard: 'subscriber',
    key: 'posts:write',
    answer: Queue,
    input: SaveQueueInput,
    run: saveQueue,
  }),
  row({
    method: 'GET',
    path: '/api/queue/next',
    guard: 'subscriber',
    key: 'posts:read',
    answer: z.array(FreeSlot),
    input: NextSlotsInput,
    run: nextSlots,
  }),
  rawRow({
    method: 'POST',
    path: '/api/webhooks/tiktok',
    guard: 'public',
    key: 'never',
    answer: { status: 200, is: 'nothing' },
    takes: 'webhook',
    run: tiktokWebhook,
  }),
  rawRow({
    method: 'GET',
    path: '/files/posts/:postId/:position',
    guard: 'signedIn',
    key: 'posts:read',
    answer: { status: 200, is: 'bytes' },
    takes: 'nothing',
    run: servePostThumbnail,
  }),
]
