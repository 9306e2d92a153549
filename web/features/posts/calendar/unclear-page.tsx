import { platformNames } from '@flashsheet/contracts/networks'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { PostVariant } from '@flashsheet/contracts/posts/schema'
import { Check, ExternalLink, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { AlertDialog } from '../../../ui/alert-dialog.tsx'
import { Button } from '../../../ui/button.tsx'
import { MarkPostedForm } from './mark-posted-form.tsx'
import layout from '../../../ui/layout.module.css'
import text from '../../../ui/text.module.css'
import { classes } from '../../../ui/classes.ts'
import styles from './unclear-page.module.css'
import type { PostActions } from './use-post-actions.ts'

export type UnclearPageProps = {
  variant: PostVariant
  actions: Pick<PostActions, 'pending' | 'markPosted' | 'pickCandidate' | 'markError' | 'postAgain'>
}

/** A failed page that may have the post anyway. The artist checks, and chooses whether it is there. */
export function UnclearPage({ variant, actions }: UnclearPageProps) {
  const [answer, setAnswer] = useState<'there' | 'again'>()
  const network = platformNames[variant.platform]
  const busy = actions.pending !== null
  const close = () => setAnswer(undefined)
  return (
    <div className={classes(layout['stack-2'], styles['unclear'])}>
      <p className={classes(text['note'], styles['note'])}>{postMessages.left[variant.mayBeThere ?? 'unclear']}</p>
      <div className={layout['row-2']}>
        {variant.pageUrl !== null && (
          <a className={text['link-out']} href={variant.pageUrl} target="_blank" rel="noreferrer">
            Look on {network}
            <ExternalLink />
          </a>
        )}
        <Button
          size="small"
          icon={<Check />}
          aria-label={`It is there: ${variant.pageName}`}
          aria-expanded={answer === 'there'}
          onPress={() => setAnswer(answer === 'there' ? undefined : 'there')}
          isDisabled={busy}
        >
          It is there
        </Button>
        <Button
          size="small"
          variant="quiet"
          icon={<RotateCcw />}
          aria-label={`It is not there, post again: ${variant.pageName}`}
          onPress={() => setAnswer('again')}
          isDisabled={busy}
        >
          It is not there, post again
        </Button>
      </div>
      {answer === 'there' && <MarkPostedForm variant={variant} actions={actions} onDone={close} />}
      <AlertDialog
        open={answer === 'again'}
        onClose={close}
        title={`Post to ${variant.pageName} again?`}
        action="Post again"
        onAction={() => actions.postAgain(variant._id, close)}
        pending={actions.pending === variant._id}
        pendingLabel="Posting..."
      >
        <p>{postMessages.left[variant.mayBeThere ?? 'unclear']}</p>
      </AlertDialog>
    </div>
  )
}
