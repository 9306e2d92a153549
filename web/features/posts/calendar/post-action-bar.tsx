import { postTitle, shortTitle } from '@flashsheet/contracts/posts/rules'
import type { Post } from '@flashsheet/contracts/posts/schema'
import { Copy, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { AlertDialog } from '../../../ui/alert-dialog.tsx'
import { Button } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { useSettling } from '../../../ui/use-settling.ts'
import { ReplaceDraftDialog } from '../../parts/replace-draft-dialog.tsx'
import { isPublishing, isWaiting } from './scheduled-edit.ts'
import styles from './post-action-bar.module.css'
import type { PostActions } from './use-post-actions.ts'

export type PostActionBarProps = {
  post: Post
  /** Deleted elsewhere: all that is left to do is a duplicate. */
  isGone: boolean
  actions: Omit<PostActions, 'duplicate'> & { duplicate: () => void }
  /** Above a form, which may be long, or below read-only details. */
  place: 'above' | 'below'
}

/** Actions of a post other than editing. Deleting, and a duplicate that would replace a draft, ask for confirmation. */
export function PostActionBar({ post, isGone, actions, place }: PostActionBarProps) {
  const [confirming, setConfirming] = useState<'remove' | 'duplicate'>()
  const canPublishNow = !isGone && post.variants.some(isWaiting)
  const canDelete = !isGone && !post.variants.some(isPublishing)
  const isPartlyPosted = post.variants.some((variant) => variant.status === 'posted')
  const busy = actions.pending !== null
  const settling = useSettling()
  const title = shortTitle(postTitle(post.variants))
  return (
    <section className={classes(styles['bar'], styles[place])} data-settling={settling} aria-label="More for this post">
      {canPublishNow && (
        <Button
          size="small"
          icon={<Send />}
          onPress={actions.publishNow}
          isDisabled={busy}
          pending={actions.pending === 'publishNow'}
        >
          Publish now
        </Button>
      )}
      <Button
        size="small"
        variant="quiet"
        icon={<Copy />}
        onPress={() => (actions.hasDraft() ? setConfirming('duplicate') : actions.duplicate())}
        isDisabled={busy}
      >
        <span className={styles['narrow-only']}>Duplicate</span>
        <span className={styles['wide-only']}>Duplicate as new</span>
      </Button>
      {canDelete && (
        <Button
          size="small"
          variant="quiet"
          icon={<Trash2 />}
          onPress={() => setConfirming('remove')}
          isDisabled={busy}
        >
          Delete
        </Button>
      )}
      <AlertDialog
        open={confirming === 'remove'}
        onClose={() => setConfirming(undefined)}
        title="Delete this post?"
        action="Delete"
        onAction={actions.remove}
        pending={actions.pending === 'remove'}
        pendingLabel="Deleting..."
      >
        <p>
          “{title}” is removed from your calendar
          {canPublishNow ? ' and will not be posted' : ''}.
        </p>
        {isPartlyPosted && <p>What is already posted stays on its pages. Delete it there if you want it gone.</p>}
      </AlertDialog>
      <ReplaceDraftDialog
        open={confirming === 'duplicate'}
        onClose={() => setConfirming(undefined)}
        onReplace={() => {
          setConfirming(undefined)
          actions.duplicate()
        }}
      />
    </section>
  )
}
