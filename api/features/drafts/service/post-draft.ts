import type { PostDraftInput } from '@flashsheet/contracts/drafts/schema'
import type { PostResult } from '@flashsheet/contracts/posts/schema'
import { nextSlot } from '@flashsheet/contracts/queue/limits'
import { notifyLive } from '@flashsheet/db/live'
import type { SubscriberCtx } from '../../../core/context.ts'
import { notFound } from '../../../core/errors.ts'
import { createFrom, resultOfRequest } from '../../posts/service/create.ts'
import { deleteDraft, findDraft } from '../queries.ts'
import { draftView } from '../view.ts'
import { staleDraft } from './drafts.ts'

/**
 * Posts a draft, with the changes that are sent along; it is gone with the transaction that makes the post: two clicks, or two tabs,
 * make one. A repeat for the same time and with the same changes answers that post. Throws notFound, invalid for what a post would be
 * refused for, conflict when the draft was posted otherwise or changed since the `version` that was read.
 */
export async function postDraft(ctx: SubscriberCtx, input: PostDraftInput): Promise<PostResult> {
  const { draftId, version, when: asked, ...changes } = input
  const when = asked === 'now' || asked === nextSlot ? asked : new Date(asked).toISOString()
  const requestParts = ['draft', draftId, when, ...(Object.keys(changes).length > 0 ? [changes] : [])]
  const request = { requestId: `draft:${draftId}`, requestText: JSON.stringify(requestParts) }
  const known = await resultOfRequest(ctx, request)
  if (known) return known
  const row = await findDraft(ctx.db, ctx.owner, draftId)
  if (!row) {
    // A concurrent call with the same request id may have been faster.
    const posted = await resultOfRequest(ctx, request)
    if (posted) return posted
    throw notFound()
  }
  if (version !== undefined && version !== row.version) throw await staleDraft(ctx.db, ctx.owner, draftId)
  const { mediaIds, variants } = draftView(row)
  return await createFrom(
    ctx,
    { mediaIds, variants, ...changes, ...(when === 'now' ? {} : { scheduledAt: when }) },
    request,
    async (tx) => {
      // What was read is what is posted.
      if (!(await deleteDraft(tx, ctx.owner, draftId, row.version))) throw await staleDraft(tx, ctx.owner, draftId)
      await notifyLive(tx, { owner: ctx.owner, topic: 'drafts', id: draftId })
    },
  )
}
