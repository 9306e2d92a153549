import { draftLimits } from '@flashsheet/contracts/drafts/limits'
import { draftMessages } from '@flashsheet/contracts/drafts/messages'
import type {
  CreateDraftInput,
  Draft,
  DraftParam,
  DuplicatePostInput,
  ListDraftsInput,
  UpdateDraftInput,
} from '@flashsheet/contracts/drafts/schema'
import type { Deleted } from '@flashsheet/contracts/keys/schema'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import type { SubscriberCtx, System } from '../../../core/context.ts'
import { sha256 } from '../../../core/crypto.ts'
import { cursorsOf, type Page } from '../../../core/cursor.ts'
import { conflict, full, invalid, notFound } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import type { OwnerId } from '../../../core/scope.ts'
import { lockMediaForUse } from '../../media/service/list.ts'
import { copyPost } from '../../posts/service/copy.ts'
import { problemOfPages } from '../../posts/service/create.ts'
import {
  changeDraft,
  lockAndCountDrafts,
  deleteDraft,
  findDraft,
  findDraftByRequest,
  insertDraft,
  listDraftRows,
  lockDraftsWith,
  type DraftPatch,
} from '../queries.ts'
import { draftVariants, areTooLong, withoutMedia } from '../rules.ts'
import { draftView } from '../view.ts'

/** One page of the artist's drafts, newest first (`GET /api/drafts`). */
export async function pageOfDrafts(ctx: SubscriberCtx, input: ListDraftsInput): Promise<Page<Draft>> {
  const cursors = cursorsOf('drafts', ctx.owner)
  const rows = await listDraftRows(ctx.db, ctx.owner, { limit: input.limit + 1, after: cursors.anchorOf(input.cursor) })
  const { items, next } = cursors.pageOf(rows, input.limit, ({ createdAt, id }) => ({ at: createdAt, id }))
  return { items: items.map(draftView), next }
}

/** One draft. Throws notFound, for another artist's too. */
export async function getDraft(ctx: SubscriberCtx, { draftId }: DraftParam): Promise<Draft> {
  const row = await findDraft(ctx.db, ctx.owner, draftId)
  if (!row) throw notFound(draftMessages.gone)
  return draftView(row)
}

/**
 * Stores a draft. A repeat with the same request id returns the first one as it is now. Throws invalid for media or pages that are not the
 * artist's, full at `draftLimits.perArtist`, conflict for a request id used for another draft.
 */
export async function createDraft(ctx: SubscriberCtx, input: CreateDraftInput): Promise<Draft> {
  const { requestId, ...content } = input
  return await storeDraft(ctx, content, requestId, JSON.stringify(content))
}

/** Stores a copy of a post's content as a draft (`POST /api/posts/{id}/duplicate`). Throws notFound, and as `createDraft`. */
export async function duplicatePost(ctx: SubscriberCtx, input: DuplicatePostInput): Promise<Draft> {
  const copy = await copyPost(ctx, { postId: input.postId })
  return await storeDraft(ctx, copy, input.requestId, `duplicate ${input.postId}`)
}

async function storeDraft(
  ctx: SubscriberCtx,
  content: Pick<CreateDraftInput, 'title' | 'mediaIds' | 'variants' | 'scheduledAt'>,
  givenRequestId: string | undefined,
  requestText: string,
): Promise<Draft> {
  const requestId = givenRequestId ?? newId()
  const requestHash = sha256(requestText)
  return await retryOnDeadlock(ctx.db, async (tx) => {
    // Concurrent calls of the artist wait here, so that a repeat finds the draft of the first call.
    const drafts = await lockAndCountDrafts(tx, ctx.owner)
    const earlier = await findDraftByRequest(tx, ctx.owner, requestId)
    if (earlier) {
      if (earlier.requestHash !== requestHash) throw conflict(draftMessages.requestReused)
      return draftView(earlier)
    }
    if (drafts >= draftLimits.perArtist) throw full(draftMessages.full)
    const { title = '', mediaIds = [], variants = [], scheduledAt = null } = await checkedPatch(ctx, tx, content)
    const [id, now] = [newId(), ctx.now()]
    const draft = { title, mediaIds, variants, scheduledAt, requestId, requestHash }
    const row = { ...draft, id, userId: ctx.owner, version: 1, createdAt: now, updatedAt: now }
    await insertDraft(tx, ctx.owner, row)
    await notifyLive(tx, { owner: ctx.owner, topic: 'drafts', id: row.id })
    return draftView(row)
  })
}

/** Changes the given fields of a draft. Throws notFound, invalid, and conflict with the `current` draft when the version is outdated. */
export async function updateDraft(ctx: SubscriberCtx, input: UpdateDraftInput): Promise<Draft> {
  const { draftId, version, ...content } = input
  const changed = await retryOnDeadlock(ctx.db, async (tx) => {
    const patch = await checkedPatch(ctx, tx, content)
    const row = await changeDraft(tx, ctx.owner, { id: draftId, version }, patch, ctx.now())
    if (row) await notifyLive(tx, { owner: ctx.owner, topic: 'drafts', id: draftId })
    return row
  })
  if (!changed) throw await staleDraft(ctx.db, ctx.owner, draftId)
  return draftView(changed)
}

/** The error for a caller that has read an older version of a draft: conflict, or notFound for a deleted one. */
export async function staleDraft(db: Tx, owner: OwnerId, draftId: string): Promise<Error> {
  const row = await findDraft(db, owner, draftId)
  return row ? conflict(draftMessages.stale, { current: draftView(row) }) : notFound(draftMessages.gone)
}

/** Deletes a draft. Throws notFound. */
export async function removeDraft(ctx: SubscriberCtx, { draftId }: DraftParam): Promise<Deleted> {
  await ctx.db.transaction(async (tx) => {
    if (!(await deleteDraft(tx, ctx.owner, draftId))) throw notFound(draftMessages.gone)
    await notifyLive(tx, { owner: ctx.owner, topic: 'drafts', id: draftId })
  })
  return { deleted: true }
}

/** Hook `mediaDeleting`: removes deleted media from the drafts that use them. */
export async function removeMediaFromDrafts(
  system: System,
  tx: Tx,
  { owner, mediaIds }: { owner: OwnerId; mediaIds: readonly string[] },
): Promise<void> {
  const drafts = await lockDraftsWith(tx, owner, mediaIds)
  for (const draft of drafts) await changeDraft(tx, owner, draft, withoutMedia(draft, mediaIds), system.now())
  if (drafts.length > 0) await notifyLive(tx, { owner, topic: 'drafts' })
}

/** The columns for the given fields. Throws invalid. Media are locked, so that they cannot be deleted until the draft is stored. */
async function checkedPatch(
  ctx: SubscriberCtx,
  tx: Tx,
  { title, mediaIds, variants, scheduledAt }: Pick<CreateDraftInput, 'title' | 'mediaIds' | 'variants' | 'scheduledAt'>,
): Promise<DraftPatch> {
  const media = mediaIds && mediaIds.length > 0 ? await lockMediaForUse(tx, ctx.owner, mediaIds) : []
  if (mediaIds && media.length < mediaIds.length)
    throw invalid(postMessages.mediaUnknown, { mediaIds: postMessages.mediaUnknown })
  const stored = variants && draftVariants(variants)
  // A draft may be incomplete, but its pages are the artist's.
  const problem = stored && (areTooLong(stored) ? draftMessages.tooLong : await problemOfPages(ctx, tx, stored))
  if (problem) throw invalid(problem, { variants: problem })
  return {
    title,
    mediaIds,
    variants: stored,
    scheduledAt: typeof scheduledAt === 'string' ? new Date(scheduledAt) : scheduledAt,
  }
}
