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
  row({
    method: 'GET',
    path: '/api/drafts',
    guard: 'subscriber',
    key: 'posts:read',
    answer: z.array(Draft),
    input: ListDraftsInput,
    isPaged: true,
    run: pageOfDrafts,
  }),
  row({
    method: 'POST',
    path: '/api/drafts',
    guard: 'subscriber',
    key: 'posts:write',
    creates: true,
    answer: Draft,
    input: CreateDraftInput,
    status: 201,
    run: createDraft,
  }),
  row({
    method: 'GET',
    path: '/api/drafts/:draftId',
    guard: 'subscriber',
    key: 'posts:read',
    answer: Draft,
    input: DraftParam,
    run: getDraft,
  }),
  row({
    method: 'PUT',
    path: '/api/drafts/:draftId',
    guard: 'subscriber',
    key: 'posts:write',
    answer: Draft,
    input: UpdateDraftInput,
    run: updateDraft,
  }),
  row({
    method: 'DELETE',
    path: '/api/drafts/:draftId',
    guard: 'subscriber',
    key: 'posts:write',
    answer: Deleted,
    input: DraftParam,
    run: removeDraft,
  }),
  row({
    method: 'POST',
    path: '/api/drafts/:draftId/post',
    guard: 'subscriber',
    key: 'posts:write',
    creates: true,
    answer: PostResult,
    input: PostDraftInput,
    status: 202,
    run: postDraft,
  }),
  row({
    method: 'POST',
    path: '/api/posts/:postId/duplicate',
    guard: 'subscriber',
    key: 'posts:write',
    creates: true,
    answer: Draft,
    input: DuplicatePostInput,
    status: 201,
    run: duplicatePost,
  }),
]
