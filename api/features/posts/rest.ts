import { CreatePostInput, ListPostsInput, SchedulePostInput, UpdatePostInput } from '@flashsheet/contracts/posts/schema'
import { rawRow, row, type RestRow } from '../../core/rest.ts'
import { createPost, schedulePost } from './service/create.ts'
import { listPosts, servePostThumbnail } from './service/read.ts'
import { updatePost } from './service/update.ts'
import { tiktokWebhook } from './webhook.ts'

export const postRest: readonly RestRow[] = [
  row({
    method: 'GET',
    path: '/api/posts',
    guard: 'subscriber',
    key: 'posts:read',
    input: ListPostsInput,
    run: listPosts,
  }),
  row({
    method: 'POST',
    path: '/api/posts',
    guard: 'subscriber',
    key: 'posts:write',
    creates: true,
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
    input: SchedulePostInput,
    status: 201,
    run: schedulePost,
  }),
  row({
    method: 'PUT',
    path: '/api/posts/:postId',
    guard: 'subscriber',
    key: 'posts:write',
    input: UpdatePostInput,
    run: updatePost,
  }),
  rawRow({ method: 'POST', path: '/api/webhooks/tiktok', guard: 'public', key: 'never', run: tiktokWebhook }),
  rawRow({
    method: 'GET',
    path: '/files/posts/:postId/:position',
    guard: 'signedIn',
    key: 'posts:read',
    run: servePostThumbnail,
  }),
]
