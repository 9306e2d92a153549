import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { useNavigate } from '@tanstack/react-router'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { useSessionUser } from '../../../lib/session.ts'
import { newUuid } from '../../../lib/uuid.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.tsx'
import { uploads } from '../../media/uploads.ts'
import { draftFromMedia } from '../draft/draft.ts'
import { wizardDraft } from '../draft/draft-uploads.ts'
import { isUnsaved } from '../draft/stored-draft.ts'
import { ReplaceDraftDialog } from '../../parts/replace-draft-dialog.tsx'

/** Starts a post with library items. Asks for confirmation if it replaces a draft, and shows why items cannot be in one post. */
export function PostMedia({ items }: { items: readonly MediaItem[] }) {
  const user = useSessionUser()
  const navigate = useNavigate()
  const [isConfirming, setIsConfirming] = useState(false)
  if (!user) return null
  const store = wizardDraft(user._id, uploads)
  const startPost = async () => {
    setIsConfirming(false)
    store.update(() => draftFromMedia(items, newUuid()).draft)
    await navigate({ to: '/new-post' })
  }
  const press = () => {
    const { message } = draftFromMedia(items, '')
    if (message !== null) toast.error(message)
    else if (isUnsaved(store.get())) setIsConfirming(true)
    else void startPost()
  }
  return (
    <>
      <Button variant="primary" icon={<Send />} onPress={press}>
        {items.length === 1 ? 'Post this' : 'Post these'}
      </Button>
      <ReplaceDraftDialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        onReplace={() => void startPost()}
      />
    </>
  )
}
