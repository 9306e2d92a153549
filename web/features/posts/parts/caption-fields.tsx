import { postLimits } from '@flashsheet/contracts/posts/limits'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Platform } from '@flashsheet/contracts/networks'
import { Alert } from '../../../ui/alert.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { captionHelp, captionWarnings, titleHelp } from './caption-hints.ts'
import layout from '../../../ui/layout.module.css'
import type { Caption } from '../draft/draft.ts'

export type CaptionFieldsProps = {
  value: Caption
  onChange: (patch: Partial<Caption>) => void
  /** The networks of this caption. */
  platforms: readonly Platform[]
  hasTitle: boolean
}

/** Title and caption with counters and the hints of their networks. */
export function CaptionFields({ value, onChange, platforms, hasTitle }: CaptionFieldsProps) {
  // Without a title field the title cannot be changed, so there are no hints about it.
  const words = hasTitle ? value : { ...value, title: '' }
  const warnings = platforms.flatMap((platform) => captionWarnings(platform, words))
  return (
    <div className={layout['stack-5']}>
      {hasTitle && (
        <TextField
          label="Title"
          value={value.title}
          onChange={(title) => onChange({ title })}
          max={postLimits.titleMax}
          description={titleHelp(platforms)}
          error={value.title.length > postLimits.titleMax ? postMessages.titleTooLong : undefined}
        />
      )}
      <TextArea
        label="Caption"
        value={value.caption}
        onChange={(caption) => onChange({ caption })}
        max={postLimits.captionMax}
        rows={6}
        description={captionHelp(platforms)}
        error={value.caption.length > postLimits.captionMax ? postMessages.captionTooLong : undefined}
      />
      {warnings.length > 0 && (
        <Alert tone="warning" live>
          {warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </Alert>
      )}
    </div>
  )
}
