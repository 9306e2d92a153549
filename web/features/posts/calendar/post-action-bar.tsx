import { postTitle } from '@flashsheet/contracts/posts/rules'
import type { Post } from '@flashsheet/contracts/posts/schema'
import { Copy, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { AlertDialog } from '../../../ui/alert-dialog.tsx'
import { Button } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { ReplaceDraftDialog } from '../../parts/replace-draft-dialog.tsx'
import { isUnderWay, isWaiting } from './scheduled-edit.ts'
import styles from './post-action-bar.module.css'
import type { PostActions } from './use-post-actions.ts'

export type PostActionBarProps = {
  post: Post
  actions: PostActions
  /** Above a form, which may be long; below read-only details. */
  place: 'above' | 'below'
}

/** Actions of a post other than editing. Deleting, and a duplicate that would replace a draft, ask for confirmation. */
export function PostActionBar({ post, actions, place }: PostActionBarProps) {
  const [asking, setAsking] = useState<'remove' | 'duplicate'>()
  const waits = post.variants.some(isWaiting)
  const underWay = post.variants.some(isUnderWay)
  const isOut = post.variants.some((variant) => variant.status === 'posted')
  const busy = actions.pending !== null
  const title = postTitle(post.variants).split('\n')[0] ?? ''
  return (
    <section className={classes(styles['bar'], styles[place])} aria-label="More for this post">
      {waits && (
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
        onPress={() => (actions.hasDraft ? setAsking('duplicate') : actions.duplicate())}
        isDisabled={busy}
      >
        <span className={styles['narrow-only']}>Duplicate</span>
        <span className={styles['wide-only']}>Duplicate as new</span>
      </Button>
      {!underWay && (
        <Button size="small" variant="quiet" icon={<Trash2 />} onPress={() => setAsking('remove')} isDisabled={busy}>
          Delete
        </Button>
      )}
      <AlertDialog
        open={asking === 'remove'}
        onClose={() => setAsking(undefined)}
        title="Delete this post?"
        action="Delete"
        onAction={actions.remove}
        pending={actions.pending === 'remove'}
        pendingLabel="Deleting..."
      >
        <p>
          “{title.length > 80 ? `${title.slice(0, 79)}…` : title}” goes out of your calendar
          {waits ? ' and will not be posted' : ''}.
        </p>
        {isOut && <p>What is out already stays on its pages. Delete it there if you want it gone.</p>}
      </AlertDialog>
      <ReplaceDraftDialog
        open={asking === 'duplicate'}
        onClose={() => setAsking(undefined)}
        onReplace={() => {
          setAsking(undefined)
          actions.duplicate()
        }}
      />
    </section>
  )
}
