import { draftMessages } from '@flashsheet/contracts/drafts/messages'
import type { Draft as StoredDraft } from '@flashsheet/contracts/drafts/schema'
import { useState } from 'react'
import { deletionHandlers } from '../../../lib/deletion-handlers.ts'
import { useSessionUser } from '../../../lib/session.ts'
import { toastFailure } from '../../../lib/toast-failure.ts'
import { trpc } from '../../../lib/trpc.ts'
import { newUuid } from '../../../lib/uuid.ts'
import { toast } from '../../../ui/toast.tsx'
import { draftOf } from '../draft/draft-store.ts'
import { newDraft } from '../draft/draft.ts'
import { isUnsaved } from '../draft/stored-draft.ts'

/** Deletes a draft without confirmation. The toast offers an undo, which stores its content again. */
export function useDeleteDraft() {
  /** Hidden while they are being deleted. */
  const [removedIds, setRemovedIds] = useState<readonly string[]>([])
  const utils = trpc.useUtils()
  const user = useSessionUser()
  const composer = user && draftOf(user._id)

  const undo = async ({ _id, title, mediaIds, variants, scheduledAt }: StoredDraft): Promise<void> => {
    try {
      await utils.client.drafts.create.mutate({ title, mediaIds, variants, scheduledAt, requestId: `undo:${_id}` })
      toast.success(draftMessages.restored)
    } catch (error) {
      toastFailure(error, draftMessages.restoreFailed)
    }
    await utils.drafts.list.invalidate()
  }

  const remove = async (draft: StoredDraft): Promise<void> => {
    const drop = () => utils.drafts.list.setData({}, (drafts) => drafts?.filter(({ _id }) => _id !== draft._id))
    const { onSuccess, onError } = deletionHandlers(
      () => {
        drop()
        // Empties the composer if the draft is open there without unsaved changes.
        composer?.update((now) => (now.stored?.id === draft._id && !isUnsaved(now) ? newDraft(newUuid()) : now))
        toast.success(draftMessages.deleted, undefined, { label: 'Undo', onPress: () => void undo(draft) })
      },
      (error) => toastFailure(error, draftMessages.deleteFailed),
    )
    setRemovedIds((ids) => [...ids, draft._id])
    await utils.client.drafts.remove.mutate({ draftId: draft._id }).then(onSuccess, onError)
    setRemovedIds((ids) => ids.filter((id) => id !== draft._id))
    await utils.drafts.list.invalidate()
  }
  return { remove, isRemoved: (id: string) => removedIds.includes(id) }
}
