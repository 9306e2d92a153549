import {
  CreateDraftInput,
  DraftParam,
  DuplicatePostInput,
  ListDraftsInput,
  PostDraftInput,
  UpdateDraftInput,
} from '@flashsheet/contracts/drafts/schema'
import { watchTopic } from '../../core/live.ts'
import { call, callForItems, router, subscriberProcedure } from '../../core/procedures.ts'
import { createDraft, duplicatePost, getDraft, pageOfDrafts, removeDraft, updateDraft } from './service/drafts.ts'
import { postDraft } from './service/post-draft.ts'

export const draftsRouter = router({
  list: subscriberProcedure('posts:read').input(ListDraftsInput).query(callForItems(pageOfDrafts)),
  get: subscriberProcedure('posts:read').input(DraftParam).query(call(getDraft)),
  create: subscriberProcedure('posts:write', { creates: true }).input(CreateDraftInput).mutation(call(createDraft)),
  update: subscriberProcedure('posts:write').input(UpdateDraftInput).mutation(call(updateDraft)),
  remove: subscriberProcedure('posts:write').input(DraftParam).mutation(call(removeDraft)),
  post: subscriberProcedure('posts:write', { creates: true }).input(PostDraftInput).mutation(call(postDraft)),
  duplicate: subscriberProcedure('posts:write', { creates: true })
    .input(DuplicatePostInput)
    .mutation(call(duplicatePost)),
  watch: subscriberProcedure('posts:read').subscription(({ ctx, signal }) =>
    watchTopic(ctx, 'drafts', { drafts: 'changed' }, signal),
  ),
})
