import { draftMessages } from '@flashsheet/contracts/drafts/messages'
import type { PostDraftInput } from '@flashsheet/contracts/drafts/schema'
import type { PostResult } from '@flashsheet/contracts/posts/schema'
import { nextSlot } from '@flashsheet/contracts/queue/limits'
import { notifyLive } from '@flashsheet/db/live'
import type { SubscriberCtx } from '../../../core/context.ts'
import { notFound } from '../../../core/errors.ts'
import { createFrom, resultOfRequest } from '../../posts/service/create.ts'
import { deleteDraft, findDraft } from '../queries.ts'
import { staleDraft } from './drafts.ts'

/**
 * Posts a draft with the given changes, and deletes it in the same transaction, so that two clicks or tabs make one post. A repeat with the
 * same time and changes returns that post. Throws notFound, invalid as `createPost`, conflict when the draft was posted with other values or
 * changed since `version`.
 */
export async function postDraft(ctx: SubscriberCtx, input: PostDraftInput): Promise<PostResult> {
  const { draftId, version, when: requestedTime, ...changes } = input
  const when =
    requestedTime === 'now' || requestedTime === nextSlot ? requestedTime : new Date(requestedTime).toISOString()
  const requestParts = ['draft', draftId, when, ...(Object.keys(changes).length > 0 ? [changes] : [])]
  const request = { requestId: `draft:${draftId}`, requestText: JSON.stringify(requestParts) }
  const earlier = await resultOfRequest(ctx, request)
  if (earlier) return earlier
  const row = await findDraft(ctx.db, ctx.owner, draftId)
  if (!row) {
    // A concurrent call with the same request id may have been faster.
    const posted = await resultOfRequest(ctx, request)
    if (posted) return posted
    throw notFound(draftMessages.gone)
  }
  if (version !== undefined && version !== row.version) throw await staleDraft(ctx.db, ctx.owner, draftId)
  const { mediaIds, variants } = row
  return await createFrom(
    ctx,
    { mediaIds, variants, ...changes, ...(when === 'now' ? {} : { scheduledAt: when }) },
    request,
    async (tx) => {
      // Fails when the draft was changed since it was read.
      if (!(await deleteDraft(tx, ctx.owner, draftId, row.version))) throw await staleDraft(tx, ctx.owner, draftId)
      await notifyLive(tx, { owner: ctx.owner, topic: 'drafts', id: draftId })
    },
    'when',
  )
}
