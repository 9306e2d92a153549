import { queueMessages } from '@flashsheet/contracts/queue/messages'
import type { Post } from '@flashsheet/contracts/posts/schema'
import { platformNames } from '@flashsheet/contracts/networks'
import { CopyCheck } from 'lucide-react'
import { useState } from 'react'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { DateTimePicker } from '../../../ui/date-time-picker.tsx'
import { EndangeredAlert } from '../../social/endangered-alert.tsx'
import { isEndangered, useEndangered } from '../../social/endangered.ts'
import { waitReason } from '../parts/allowance-texts.ts'
import { CaptionFields } from '../parts/caption-fields.tsx'
import { pageOf, type Caption } from '../draft/draft.ts'
import { PageSection } from '../parts/page-section.tsx'
import layout from '../../../ui/layout.module.css'
import styles from './scheduled-edit-form.module.css'
import { copyCaption, hasTitle, type PostEdit } from './scheduled-edit.ts'
import { ScheduledMedia } from './scheduled-media.tsx'
import type { Zones } from '../parts/use-zones.ts'

export type ScheduledEditFormProps = {
  post: Post
  edit: PostEdit
  onEdit: (edit: PostEdit) => void
  timeError: string | undefined
  zones: Zones
}

/** The form for the time of a scheduled post and the caption of each page. */
export function ScheduledEditForm({ post, edit, onEdit, timeError, zones }: ScheduledEditFormProps) {
  const [opened] = useState(() => new Date())
  const endangered = useEndangered()
  const atStudio = edit.scheduledAt && zones.inStudio(edit.scheduledAt.toISOString())
  const change = (id: string, words: Caption, patch: Partial<Caption>) =>
    onEdit({ ...edit, words: { ...edit.words, [id]: { ...words, ...patch } } })
  return (
    <div className={layout['stack-5']}>
      <ScheduledMedia media={post.media} />
      <DateTimePicker
        label="Date and time"
        description={atStudio ? `${zones.viewer}. That is ${atStudio}.` : `In your time zone, ${zones.viewer}.`}
        value={edit.scheduledAt}
        onChange={(scheduledAt) => onEdit({ ...edit, scheduledAt })}
        min={opened}
        error={timeError}
      />
      {post.queue && (
        <Alert
          tone={post.queue === 'paused' && !edit.leavesQueue ? 'warning' : 'info'}
          action={
            <Button size="small" onPress={() => onEdit({ ...edit, leavesQueue: !edit.leavesQueue })}>
              {edit.leavesQueue ? queueMessages.stay : queueMessages.leave}
            </Button>
          }
        >
          {edit.leavesQueue ? queueMessages.leaves : queueMessages.waits[post.queue]}
        </Alert>
      )}
      {post.variants.map((variant) => {
        const words = edit.words[variant._id] ?? { title: variant.title, caption: variant.message }
        return (
          <PageSection key={variant._id} page={pageOf(variant)}>
            {variant.errorMessage !== null ? (
              <Alert tone="warning">{waitReason(variant)}</Alert>
            ) : (
              endangered
                .filter((account) => isEndangered(account, variant, post.scheduledAt))
                .map((account) => <EndangeredAlert key={account.socialAccountId} account={{ ...account, count: 1 }} />)
            )}
            <CaptionFields
              value={words}
              onChange={(patch) => change(variant._id, words, patch)}
              platforms={[variant.platform]}
              hasTitle={hasTitle(variant)}
            />
            {post.variants.length > 1 && (
              <div className={styles['copy']}>
                <Button
                  size="small"
                  variant="quiet"
                  icon={<CopyCheck />}
                  aria-label={`Use on all pages: the words of ${variant.pageName}, ${platformNames[variant.platform]}`}
                  isDisabled={post.variants.every((other) => edit.words[other._id]?.caption === words.caption)}
                  onPress={() => onEdit(copyCaption(post, edit, variant._id))}
                >
                  Use on all pages
                </Button>
              </div>
            )}
          </PageSection>
        )
      })}
    </div>
  )
}
