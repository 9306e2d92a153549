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
import { rowFor, type RestRow } from '../../core/rest.ts'
import { createDraft, duplicatePost, getDraft, pageOfDrafts, removeDraft, updateDraft } from './service/drafts.ts'
import { postDraft } from './service/post-draft.ts'

const subscriberToRead = rowFor('subscriber', 'posts:read')
const subscriberToWrite = rowFor('subscriber', 'posts:write')

export const draftRest: readonly RestRow[] = [
  subscriberToRead('GET /api/drafts', {
    input: ListDraftsInput,
    answer: z.array(Draft),
    isPaged: true,
    run: pageOfDrafts,
  }),
  subscriberToWrite('POST /api/drafts', {
    input: CreateDraftInput,
    answer: Draft,
    status: 201,
    creates: true,
    run: createDraft,
  }),
  subscriberToRead('GET /api/drafts/:draftId', { input: DraftParam, answer: Draft, run: getDraft }),
  subscriberToWrite('PUT /api/drafts/:draftId', { input: UpdateDraftInput, answer: Draft, run: updateDraft }),
  subscriberToWrite('DELETE /api/drafts/:draftId', { input: DraftParam, answer: Deleted, run: removeDraft }),
  subscriberToWrite('POST /api/drafts/:draftId/post', {
    input: PostDraftInput,
    answer: PostResult,
    status: 202,
    creates: true,
    run: postDraft,
  }),
  subscriberToWrite('POST /api/posts/:postId/duplicate', {
    input: DuplicatePostInput,
    answer: Draft,
    status: 201,
    creates: true,
    run: duplicatePost,
  }),
]
