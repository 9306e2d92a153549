import { draftMessages } from '@flashsheet/contracts/drafts/messages'
import type { Draft as StoredDraft } from '@flashsheet/contracts/drafts/schema'
import { useNavigate } from '@tanstack/react-router'
import { NotebookPen } from 'lucide-react'
import { useState } from 'react'
import { useSessionUser } from '../../../lib/session.ts'
import { toastFailure } from '../../../lib/toast-failure.ts'
import { trpc } from '../../../lib/trpc.ts'
import { useIsMounted } from '../../../lib/use-is-mounted.ts'
import { AlertDialog } from '../../../ui/alert-dialog.tsx'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { classes } from '../../../ui/classes.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import layout from '../../../ui/layout.module.css'
import { useSettling } from '../../../ui/use-settling.ts'
import { uploads } from '../../media/uploads.ts'
import { PendingQuery } from '../../parts/pending-query.tsx'
import { wizardDraft } from '../draft/draft-uploads.ts'
import { isSent } from '../draft/draft-request.ts'
import { isUnsaved } from '../draft/stored-draft.ts'
import { useOpenStored } from '../draft/use-open-stored.ts'
import { DraftRow } from './draft-row.tsx'
import styles from './drafts-screen.module.css'
import { useDeleteDraft } from './use-delete-draft.ts'

/** /drafts: drafts that the artist saved, and those of programs and assistants. Each opens in the composer. */
export function DraftsScreen() {
  const drafts = trpc.drafts.list.useQuery({})
  const accounts = trpc.social.accounts.useQuery()
  const library = trpc.media.list.useQuery()
  const { remove, isRemoved } = useDeleteDraft()
  const { open, isConfirming, answer } = useOpenDraft()
  useLiveDrafts()
  const shown = (drafts.data ?? []).filter(({ _id }) => !isRemoved(_id))
  const settling = useSettling(shown.length)
  if (!drafts.data) return <PendingQuery query={drafts} label="Loading your drafts" failed={draftMessages.loadFailed} />
  if (shown.length === 0)
    return (
      <EmptyState
        icon={<NotebookPen />}
        title="No drafts"
        action={
          <ButtonLink variant="primary" to="/new-post">
            New post
          </ButtonLink>
        }
      >
        Posts that you save for later show up here, and so do drafts that an assistant prepares for you.
      </EmptyState>
    )
  return (
    <>
      <ul className={classes(layout['panel'], styles['list'])} data-settling={settling}>
        {shown.map((draft) => (
          <DraftRow
            key={draft._id}
            draft={draft}
            accounts={accounts.data ?? []}
            picture={library.data?.find(({ _id }) => _id === draft.mediaIds[0])?.thumbnailUrl ?? null}
            onOpen={() => void open(draft)}
            onDelete={() => void remove(draft)}
          />
        ))}
      </ul>
      <AlertDialog
        open={isConfirming}
        onClose={() => answer(false)}
        title="Replace your unsent post?"
        action="Open the draft"
        cancel="Keep the current post"
        onAction={() => answer(true)}
      >
        There is an unsent post in New Post. Opening this draft replaces it.
      </AlertDialog>
    </>
  )
}

/** Refreshes the list when an assistant, another tab or another device changes it. */
function useLiveDrafts(): void {
  const utils = trpc.useUtils()
  trpc.drafts.watch.useSubscription(undefined, {
    onData: () => {
      void utils.drafts.invalidate()
      // A new draft may use pictures that were uploaded just before it.
      void utils.media.list.invalidate()
      void utils.social.accounts.invalidate()
    },
  })
}

/** Opens a stored draft in the composer. Asks for confirmation if the composer has other unsaved work. */
function useOpenDraft() {
  const utils = trpc.useUtils()
  const navigate = useNavigate()
  const user = useSessionUser()
  const load = useOpenStored()
  const isMounted = useIsMounted()
  const [draftToConfirm, setDraftToConfirm] = useState<StoredDraft | null>(null)
  const composer = user && wizardDraft(user._id, uploads)

  const replaceComposer = async ({ _id }: StoredDraft) => {
    if (!composer) return
    try {
      const opened = await load(_id)
      // The artist has left, and may be writing another post.
      if (!isMounted()) return
      composer.update(() => opened)
      await navigate({ to: '/new-post' })
    } catch (error) {
      toastFailure(error, draftMessages.openFailed)
      await utils.drafts.list.invalidate()
    }
  }
  const open = async (draft: StoredDraft) => {
    const current = composer?.get()
    const isOpen = current?.stored?.id === draft._id && !isSent(current)
    const isMine = current !== undefined && isUnsaved(current)
    // The composer already has this draft, and resolves conflicts with unsaved changes.
    if (isOpen && (isMine || current.stored?.version === draft.version)) await navigate({ to: '/new-post' })
    else if (isMine) setDraftToConfirm(draft)
    else await replaceComposer(draft)
  }
  const answer = (isYes: boolean) => {
    setDraftToConfirm(null)
    if (isYes && draftToConfirm) void replaceComposer(draftToConfirm)
  }
  return { open, isConfirming: draftToConfirm !== null, answer }
}
