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
import { fileRow, rowFor, webhookRow, type RestRow } from '../../core/rest.ts'
import { createPost } from './service/create.ts'
import { getQueue, nextSlots, saveQueue } from './service/queue.ts'
import { getPost, pageOfPosts, servePostThumbnail } from './service/read.ts'
import { cancelPost } from './service/remove.ts'
import { publishNow, retryPost } from './service/resend.ts'
import { updatePost } from './service/update.ts'
import { tiktokWebhook } from './webhook.ts'

const subscriberToRead = rowFor('subscriber', 'posts:read')
const subscriberToWrite = rowFor('subscriber', 'posts:write')

export const postRest: readonly RestRow[] = [
  subscriberToRead('GET /api/posts', { input: ListPostsInput, answer: z.array(Post), isPaged: true, run: pageOfPosts }),
  subscriberToWrite('POST /api/posts', {
    input: CreatePostInput,
    answer: PostResult,
    status: 202,
    creates: true,
    run: createPost,
  }),
  subscriberToWrite('POST /api/posts/schedule', {
    input: SchedulePostInput,
    answer: PostResult,
    status: 201,
    creates: true,
    run: createPost,
  }),
  subscriberToWrite('PUT /api/posts/:postId', { input: UpdatePostInput, answer: Post, run: updatePost }),
  subscriberToRead('GET /api/posts/:postId', { input: PostParam, answer: Post, run: getPost }),
  subscriberToWrite('DELETE /api/posts/:postId', { input: PostParam, answer: Deleted, run: cancelPost }),
  subscriberToWrite('POST /api/posts/:postId/retry', { input: RetryPostInput, answer: Post, run: retryPost }),
  subscriberToWrite('POST /api/posts/:postId/publish', { input: PostParam, answer: Post, run: publishNow }),
  subscriberToRead('GET /api/queue', { answer: Queue, run: getQueue }),
  subscriberToWrite('PUT /api/queue', { input: SaveQueueInput, answer: Queue, run: saveQueue }),
  subscriberToRead('GET /api/queue/next', { input: NextSlotsInput, answer: z.array(FreeSlot), run: nextSlots }),
  webhookRow('POST /api/webhooks/tiktok', tiktokWebhook),
  fileRow('GET /files/posts/:postId/:position', 'signedIn', 'posts:read', servePostThumbnail),
]
