import type { PostDraftInput } from '@flashsheet/contracts/drafts/schema'
import type { PostResult } from '@flashsheet/contracts/posts/schema'
import { nextSlot } from '@flashsheet/contracts/queue/limits'
import type { SubscriberCtx } from '../../../core/context.ts'
import { notFound } from '../../../core/errors.ts'
import { createFrom, resultOfRequest } from '../../posts/service/create.ts'
import { deleteDraft, findDraft } from '../queries.ts'
import { draftView } from '../view.ts'
import { staleDraft } from './drafts.ts'

/**
 * Posts a draft, which is gone with the transaction that makes the post: two clicks, or two tabs, make one. A repeat for the same time
 * answers that post. Throws notFound, invalid for what a post would be refused for, conflict when the draft was posted for another time
 * or changed meanwhile.
 */
export async function postDraft(ctx: SubscriberCtx, input: PostDraftInput): Promise<PostResult> {
  const { draftId } = input
  const when = input.when === 'now' || input.when === nextSlot ? input.when : new Date(input.when).toISOString()
  const request = { requestId: `draft:${draftId}`, requestText: JSON.stringify(['draft', draftId, when]) }
  const known = await resultOfRequest(ctx, request)
  if (known) return known
  const row = await findDraft(ctx.db, ctx.owner, draftId)
  if (!row) {
    // A twin of this call may have been quicker.
    const posted = await resultOfRequest(ctx, request)
    if (posted) return posted
    throw notFound()
  }
  const { mediaIds, variants } = draftView(row)
  return await createFrom(
    ctx,
    { mediaIds, variants, ...(when === 'now' ? {} : { scheduledAt: when }) },
    request,
    async (tx) => {
      // What was read is what is posted.
      if (!(await deleteDraft(tx, ctx.owner, draftId, row.version))) throw await staleDraft(tx, ctx.owner, draftId)
    },
  )
}
