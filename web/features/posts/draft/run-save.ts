import { draftMessages } from '@flashsheet/contracts/drafts/messages'
import type { CreateDraftInput, UpdateDraftInput } from '@flashsheet/contracts/drafts/schema'
import { showFailureToast } from '../../../lib/toast-failure.ts'
import type { trpc } from '../../../lib/trpc.ts'
import { newUuid } from '../../../lib/uuid.ts'
import { toast } from '../../../ui/toast.tsx'
import type { DraftStore } from './draft-store.ts'
import { newDraft } from './draft.ts'
import { removeGone } from './remove-gone.ts'
import { saveDraft, type SaveCalls } from './save-draft.ts'

/** `leave`: the artist has left the screen. `keep`: they continue composing. `saveAndClose`: the composer is emptied after the save. */
export type SavePurpose = 'leave' | 'keep' | 'saveAndClose'

export type SaveEnvironment = {
  store: DraftStore
  utils: ReturnType<typeof trpc.useUtils>
  awaitUploads: SaveCalls['awaitUploads']
  showDrafts: () => Promise<void>
}

/** Saves the composer's content as a stored draft and shows the outcome, unless the artist has left. */
export async function runSave(purpose: SavePurpose, environment: SaveEnvironment): Promise<void> {
  const { store, utils, awaitUploads, showDrafts } = environment
  const { id, scheduledAt } = store.get()
  const outcome = await saveDraft(store, {
    awaitUploads,
    create: async (input: CreateDraftInput) => await utils.client.drafts.create.mutate(input),
    update: async (input: UpdateDraftInput) => await utils.client.drafts.update.mutate(input),
    current: async (draftId) => await utils.client.drafts.get.query({ draftId }),
    stillSignedIn: () => utils.auth.me.getData()?._id === store.userId,
    newId: newUuid,
  })
  if (outcome !== 'unchanged') await utils.drafts.invalidate()
  // After a failure nothing is lost: the content is still in the composer.
  if (purpose === 'leave') return
  if (typeof outcome === 'object') {
    showFailureToast(await removeGone(store, utils, outcome))
    return
  }
  // StoredDraftNotice asks the artist what to do.
  if (outcome === 'stale' || outcome === 'gone') return
  if (purpose === 'keep' || outcome === 'overtaken' || store.get().id !== id) {
    toast.success(draftMessages.saved)
    return
  }
  await showDrafts()
  store.update((now) => (now.id === id ? newDraft(newUuid()) : now))
  toast.success(draftMessages.saved, scheduledAt.length > 1 ? draftMessages.firstTimeOnly : undefined)
}
