import {
  CreateDraftInput,
  DraftParam,
  DuplicatePostInput,
  ListDraftsInput,
  PostDraftInput,
  UpdateDraftInput,
} from '@flashsheet/contracts/drafts/schema'
import { router, subscriberProcedure } from '../../core/procedures.ts'
import { createDraft, duplicatePost, getDraft, listDrafts, removeDraft, updateDraft } from './service/drafts.ts'
import { postDraft } from './service/post-draft.ts'
import { watchDrafts } from './service/watch.ts'

export const draftsRouter = router({
  list: subscriberProcedure('posts:read')
    .input(ListDraftsInput)
    .query(({ ctx, input }) => listDrafts(ctx, input)),
  get: subscriberProcedure('posts:read')
    .input(DraftParam)
    .query(({ ctx, input }) => getDraft(ctx, input)),
  create: subscriberProcedure('posts:write', { creates: true })
    .input(CreateDraftInput)
    .mutation(({ ctx, input }) => createDraft(ctx, input)),
  update: subscriberProcedure('posts:write')
    .input(UpdateDraftInput)
    .mutation(({ ctx, input }) => updateDraft(ctx, input)),
  remove: subscriberProcedure('posts:write')
    .input(DraftParam)
    .mutation(({ ctx, input }) => removeDraft(ctx, input)),
  post: subscriberProcedure('posts:write', { creates: true })
    .input(PostDraftInput)
    .mutation(({ ctx, input }) => postDraft(ctx, input)),
  duplicate: subscriberProcedure('posts:write', { creates: true })
    .input(DuplicatePostInput)
    .mutation(({ ctx, input }) => duplicatePost(ctx, input)),
  watch: subscriberProcedure('posts:read').subscription(({ ctx, signal }) =>
    watchDrafts(ctx, signal ?? new AbortController().signal),
  ),
})
