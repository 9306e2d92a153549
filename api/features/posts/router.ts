import {
  AllowancesInput,
  CalendarInput,
  CreatePostInput,
  ListPostsInput,
  MarkPostedInput,
  PickCandidateInput,
  PostParam,
  RetryPostInput,
  SchedulePostInput,
  UnclearTarget,
  UpdatePostInput,
  WatchPostsInput,
} from '@flashsheet/contracts/posts/schema'
import { NextSlotsInput, SaveQueueInput, SlotForInput } from '@flashsheet/contracts/queue/schema'
import { call, callForItems, router, subscriberProcedure } from '../../core/procedures.ts'
import { listEndangered } from './service/await-account.ts'
import { listAllowances } from './service/allowances.ts'
import { listCalendar } from './service/calendar.ts'
import { listCandidates, pickCandidate } from './service/candidates.ts'
import { createPost } from './service/create.ts'
import { usesOfMedia } from './service/media-uses.ts'
import { getQueue, nextSlots, saveQueue, slotFor } from './service/queue.ts'
import { getPost, pageOfPosts } from './service/read.ts'
import { cancelPost, removePost } from './service/remove.ts'
import { publishNow, retryPost } from './service/resend.ts'
import { markPosted, postAgain } from './service/resolve-unclear.ts'
import { updatePost } from './service/update.ts'
import { watchPosts } from './service/watch.ts'

export const postsRouter = router({
  list: subscriberProcedure('posts:read').input(ListPostsInput).query(callForItems(pageOfPosts)),
  calendar: subscriberProcedure('posts:read').input(CalendarInput).query(call(listCalendar)),
  mediaUses: subscriberProcedure('posts:read').query(call(usesOfMedia)),
  allowances: subscriberProcedure('posts:read').input(AllowancesInput).query(call(listAllowances)),
  endangered: subscriberProcedure('posts:read').query(call(listEndangered)),
  get: subscriberProcedure('posts:read').input(PostParam).query(call(getPost)),
  create: subscriberProcedure('posts:write', { creates: true }).input(CreatePostInput).mutation(call(createPost)),
  schedule: subscriberProcedure('posts:write', { creates: true }).input(SchedulePostInput).mutation(call(createPost)),
  update: subscriberProcedure('posts:write').input(UpdatePostInput).mutation(call(updatePost)),
  cancel: subscriberProcedure('posts:write').input(PostParam).mutation(call(cancelPost)),
  publishNow: subscriberProcedure('posts:write').input(PostParam).mutation(call(publishNow)),
  retry: subscriberProcedure('posts:write').input(RetryPostInput).mutation(call(retryPost)),
  markPosted: subscriberProcedure('posts:write').input(MarkPostedInput).mutation(call(markPosted)),
  candidates: subscriberProcedure('posts:read').input(UnclearTarget).query(call(listCandidates)),
  pickCandidate: subscriberProcedure('posts:write').input(PickCandidateInput).mutation(call(pickCandidate)),
  postAgain: subscriberProcedure('posts:write').input(UnclearTarget).mutation(call(postAgain)),
  remove: subscriberProcedure('posts:write').input(PostParam).mutation(call(removePost)),
  queue: subscriberProcedure('posts:read').query(call(getQueue)),
  saveQueue: subscriberProcedure('posts:write').input(SaveQueueInput).mutation(call(saveQueue)),
  nextSlots: subscriberProcedure('posts:read').input(NextSlotsInput).query(call(nextSlots)),
  slotFor: subscriberProcedure('posts:read').input(SlotForInput).query(call(slotFor)),
  watch: subscriberProcedure('posts:read')
    .input(WatchPostsInput)
    .subscription(({ ctx, input, signal }) => watchPosts(ctx, input, signal ?? new AbortController().signal)),
})
