import type { Draft as StoredDraft } from '@flashsheet/contracts/drafts/schema'
import { postLimits } from '@flashsheet/contracts/posts/limits'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import { shortTitle } from '@flashsheet/contracts/posts/rules'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { Trash2 } from 'lucide-react'
import { formatMoment, formatScheduled } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { NetworkIcon } from '../../social/network-icon.tsx'
import layout from '../../../ui/layout.module.css'
import text from '../../../ui/text.module.css'
import { classes } from '../../../ui/classes.ts'
import styles from './drafts-screen.module.css'

export type DraftRowProps = {
  draft: StoredDraft
  accounts: readonly SocialAccount[]
  /** URL of its first item's thumbnail. */
  picture: string | null
  onOpen: () => void
  onDelete: () => void
}

export function DraftRow({ draft, accounts, picture, onOpen, onDelete }: DraftRowProps) {
  const title = titleOf(draft)
  const pages = draft.variants.flatMap(({ socialAccountId, pageId, platform }) => {
    const page = accounts.find(({ _id }) => _id === socialAccountId)?.pages.find((one) => one.pageId === pageId)
    return page ? [{ platform, name: page.name }] : []
  })
  return (
    <li className={styles['row']}>
      <span className={styles['frame']} aria-hidden="true">
        {picture !== null && (
          <img className={layout['cover']} src={picture} alt="" width={56} height={56} loading="lazy" />
        )}
      </span>
      <div className={layout['breakable-rest']}>
        <h2 className={styles['title']}>{title}</h2>
        {pages.length > 0 && (
          <p className={styles['pages']}>
            {pages.map(({ platform, name }, at) => (
              <span key={at} className={styles['page']}>
                <NetworkIcon platform={platform} named /> {name}
              </span>
            ))}
          </p>
        )}
        <p className={text['note']}>
          {draft.scheduledAt
            ? `Planned for ${formatMoment(draft.scheduledAt)}.`
            : `Changed ${formatScheduled(draft.updatedAt)}.`}
        </p>
      </div>
      <div className={classes(layout['line-2'], styles['actions'])}>
        <Button size="small" onPress={onOpen} aria-label={`Open the draft ${title}`}>
          Open
        </Button>
        <IconButton label={`Delete the draft ${title}`} onPress={onDelete}>
          <Trash2 />
        </IconButton>
      </div>
    </li>
  )
}

/** The title of a draft, otherwise the first line of its first caption. */
function titleOf({ title, variants }: Pick<StoredDraft, 'title' | 'variants'>): string {
  const words = [title, ...variants.flatMap((variant) => [variant.title, variant.message])]
  return shortTitle(words.find((text) => text.trim() !== '') ?? postMessages.untitled, postLimits.titleMax)
}
