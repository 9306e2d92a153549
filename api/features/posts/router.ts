import {
  AllowancesInput,
  CalendarInput,
  CreatePostInput,
  ListPostsInput,
  MarkPostedInput,
  PickCandidateInput,
  PostAgainInput,
  PostParam,
  RetryPostInput,
  SchedulePostInput,
  UnclearTarget,
  UpdatePostInput,
  WatchPostsInput,
} from '@flashsheet/contracts/posts/schema'
import { NextSlotsInput, SaveQueueInput, SlotForInput } from '@flashsheet/contracts/queue/schema'
import { router, subscriberProcedure } from '../../core/procedures.ts'
import { listEndangered } from './service/await-account.ts'
import { listAllowances } from './service/allowances.ts'
import { listCalendar } from './service/calendar.ts'
import { listCandidates, pickCandidate } from './service/candidates.ts'
import { createPost, schedulePost } from './service/create.ts'
import { usesOfMedia } from './service/media-uses.ts'
import { getQueue, nextSlots, saveQueue, slotFor } from './service/queue.ts'
import { getPost, listPosts } from './service/read.ts'
import { cancelPost, removePost } from './service/remove.ts'
import { publishNow, retryPost } from './service/resend.ts'
import { markPosted, postAgain } from './service/resolve-unclear.ts'
import { updatePost } from './service/update.ts'
import { watchPosts } from './service/watch.ts'

export const postsRouter = router({
  list: subscriberProcedure('posts:read')
    .input(ListPostsInput)
    .query(({ ctx, input }) => listPosts(ctx, input)),
  calendar: subscriberProcedure('posts:read')
    .input(CalendarInput)
    .query(({ ctx, input }) => listCalendar(ctx, input)),
  mediaUses: subscriberProcedure('posts:read').query(({ ctx }) => usesOfMedia(ctx)),
  allowances: subscriberProcedure('posts:read')
    .input(AllowancesInput)
    .query(({ ctx, input }) => listAllowances(ctx, input)),
  endangered: subscriberProcedure('posts:read').query(({ ctx }) => listEndangered(ctx)),
  get: subscriberProcedure('posts:read')
    .input(PostParam)
    .query(({ ctx, input }) => getPost(ctx, input)),
  create: subscriberProcedure('posts:write', { creates: true })
    .input(CreatePostInput)
    .mutation(({ ctx, input }) => createPost(ctx, input)),
  schedule: subscriberProcedure('posts:write', { creates: true })
    .input(SchedulePostInput)
    .mutation(({ ctx, input }) => schedulePost(ctx, input)),
  update: subscriberProcedure('posts:write')
    .input(UpdatePostInput)
    .mutation(({ ctx, input }) => updatePost(ctx, input)),
  cancel: subscriberProcedure('posts:write')
    .input(PostParam)
    .mutation(({ ctx, input }) => cancelPost(ctx, input)),
  publishNow: subscriberProcedure('posts:write')
    .input(PostParam)
    .mutation(({ ctx, input }) => publishNow(ctx, input)),
  retry: subscriberProcedure('posts:write')
    .input(RetryPostInput)
    .mutation(({ ctx, input }) => retryPost(ctx, input)),
  markPosted: subscriberProcedure('posts:write')
    .input(MarkPostedInput)
    .mutation(({ ctx, input }) => markPosted(ctx, input)),
  candidates: subscriberProcedure('posts:read')
    .input(UnclearTarget)
    .query(({ ctx, input }) => listCandidates(ctx, input)),
  pickCandidate: subscriberProcedure('posts:write')
    .input(PickCandidateInput)
    .mutation(({ ctx, input }) => pickCandidate(ctx, input)),
  postAgain: subscriberProcedure('posts:write')
    .input(PostAgainInput)
    .mutation(({ ctx, input }) => postAgain(ctx, input)),
  remove: subscriberProcedure('posts:write')
    .input(PostParam)
    .mutation(({ ctx, input }) => removePost(ctx, input)),
  queue: subscriberProcedure('posts:read').query(({ ctx }) => getQueue(ctx)),
  saveQueue: subscriberProcedure('posts:write')
    .input(SaveQueueInput)
    .mutation(({ ctx, input }) => saveQueue(ctx, input)),
  nextSlots: subscriberProcedure('posts:read')
    .input(NextSlotsInput)
    .query(({ ctx, input }) => nextSlots(ctx, input)),
  slotFor: subscriberProcedure('posts:read')
    .input(SlotForInput)
    .query(({ ctx, input }) => slotFor(ctx, input)),
  watch: subscriberProcedure('posts:read')
    .input(WatchPostsInput)
    .subscription(({ ctx, input, signal }) => watchPosts(ctx, input, signal ?? new AbortController().signal)),
})
