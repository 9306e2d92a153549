import {
  CreateDraftInput,
  Draft,
  DraftParam,
  DuplicatePostInput,
  ListDraftsInput,
  PostDraftInput,
  UpdateDraftInput,
} from '@flashsheet/contracts/drafts/schema'
import { Deleted } from '@flashsheet/contracts/keys/schema'
import { PostResult } from '@flashsheet/contracts/posts/schema'
import { z } from 'zod'
import { row, type RestRow } from '../../core/rest.ts'
import { createDraft, duplicatePost, getDraft, pageOfDrafts, removeDraft, updateDraft } from './service/drafts.ts'
import { postDraft } from './service/post-draft.ts'

export const draftRest: readonly RestRow[] = [
  row('GET /api/drafts', 'subscriber', 'posts:read', {
    input: ListDraftsInput,
    answer: z.array(Draft),
    isPaged: true,
    run: pageOfDrafts,
  }),
  row('POST /api/drafts', 'subscriber', 'posts:write', {
    input: CreateDraftInput,
    answer: Draft,
    status: 201,
    creates: true,
    run: createDraft,
  }),
  row('GET /api/drafts/:draftId', 'subscriber', 'posts:read', { input: DraftParam, answer: Draft, run: getDraft }),
  row('PUT /api/drafts/:draftId', 'subscriber', 'posts:write', {
    input: UpdateDraftInput,
    answer: Draft,
    run: updateDraft,
  }),
  row('DELETE /api/drafts/:draftId', 'subscriber', 'posts:write', {
    input: DraftParam,
    answer: Deleted,
    run: removeDraft,
  }),
  row('POST /api/drafts/:draftId/post', 'subscriber', 'posts:write', {
    input: PostDraftInput,
    answer: PostResult,
    status: 202,
    creates: true,
    run: postDraft,
  }),
  row('POST /api/posts/:postId/duplicate', 'subscriber', 'posts:write', {
    input: DuplicatePostInput,
    answer: Draft,
    status: 201,
    creates: true,
    run: duplicatePost,
  }),
]
