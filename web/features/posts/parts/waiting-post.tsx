import { useSessionUser } from '../../../lib/session.ts'
import { Alert } from '../../../ui/alert.tsx'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { draftOf } from '../draft/draft-store.ts'
import { hasUnsentWork } from '../draft/duplicate.ts'
import { useDraft } from '../draft/use-draft.ts'

/** A link to the unsent draft at its step; nothing without one. */
export function WaitingPost() {
  const user = useSessionUser()
  return user && <WaitingDraft key={user._id} userId={user._id} />
}

function WaitingDraft({ userId }: { userId: string }) {
  const draft = useDraft(draftOf(userId))
  if (!hasUnsentWork(draft)) return null
  return (
    <Alert
      tone="info"
      title="Your unfinished post is still there."
      action={
        <ButtonLink size="small" variant="primary" to="/new-post">
          Back to your post
        </ButtonLink>
      }
    />
  )
}
