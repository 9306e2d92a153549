import { draftMessages } from '@flashsheet/contracts/drafts/messages'
import { useState } from 'react'
import { failureOf } from '../../../lib/failure.ts'
import { toastFailure } from '../../../lib/toast-failure.ts'
import { trpc } from '../../../lib/trpc.ts'
import { newUuid } from '../../../lib/uuid.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { newDraft, type Draft } from '../draft/draft.ts'
import type { DraftStore } from '../draft/draft-store.ts'
import { detachFromStored, isUnsaved, storedState } from '../draft/stored-draft.ts'
import { useOpenStored } from '../draft/use-open-stored.ts'

export type StoredDraftNoticeProps = {
  store: DraftStore
  draft: Draft
  /** The id of the open stored draft, while it is not being saved or sent. */
  draftId: string
  /** Saves the composer as a separate draft. */
  onKeep: () => void
}

/** Shown if the opened draft was changed, posted or deleted elsewhere. Asks what to do with the composer's content. */
export function StoredDraftNotice({ store, draft, draftId, onKeep }: StoredDraftNoticeProps) {
  const utils = trpc.useUtils()
  const open = useOpenStored()
  const [isOpening, setIsOpening] = useState(false)
  const current = trpc.drafts.get.useQuery({ draftId }, { staleTime: 0 })
  trpc.drafts.watch.useSubscription(undefined, { onData: () => void utils.drafts.get.invalidate({ draftId }) })
  const isGone = current.error !== null && failureOf(current.error, '').code === 'notFound'
  const state = storedState(draft, isGone ? 'gone' : current.data)
  if (state === 'same') return null

  const keepAsNew = () => {
    store.update((now) => detachFromStored(now, newUuid()))
    onKeep()
  }
  const openNewer = async () => {
    setIsOpening(true)
    try {
      const newer = await open(draftId)
      store.update(() => newer)
    } catch (error) {
      toastFailure(error, draftMessages.openFailed)
    }
    setIsOpening(false)
  }
  if (state === 'gone')
    return (
      <Alert
        tone="warning"
        live
        title={draftMessages.gone}
        action={
          <>
            <Button size="small" onPress={keepAsNew}>
              Keep it as a new draft
            </Button>
            <Button size="small" variant="quiet" onPress={() => store.update(() => newDraft(newUuid()))}>
              Discard it
            </Button>
          </>
        }
      >
        What you see is now only in this browser. Look at your scheduled posts before you post it again.
      </Alert>
    )
  const hasOwnChanges = isUnsaved(draft)
  return (
    <Alert
      tone="warning"
      live
      title="This draft was changed somewhere else."
      action={
        <>
          {hasOwnChanges && (
            <Button size="small" onPress={keepAsNew}>
              Keep both
            </Button>
          )}
          <Button
            size="small"
            variant={hasOwnChanges ? 'quiet' : 'secondary'}
            onPress={() => void openNewer()}
            pending={isOpening}
            pendingLabel="Opening..."
          >
            Take the newer one
          </Button>
        </>
      }
    >
      {hasOwnChanges
        ? 'Your changes are still here. Keep both, and yours become a draft of their own.'
        : 'You see it as it was before.'}
    </Alert>
  )
}
