import type { TiktokCreatorInfo } from '@flashsheet/contracts/social/schema'
import type { TiktokPrivacyLevel } from '@flashsheet/contracts/social/limits'
import { Alert } from '../../../ui/alert.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import type { Option } from '../../../ui/option-item.tsx'
import { Select } from '../../../ui/select.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TiktokConsent } from '../parts/tiktok-consent.tsx'
import hidden from '../../../ui/visually-hidden.module.css'
import { classes } from '../../../ui/classes.ts'
import layout from '../../../ui/layout.module.css'
import text from '../../../ui/text.module.css'
import styles from './tiktok-form.module.css'
import {
  labelOf,
  privacyNames,
  offeredPrivacy,
  tiktokFieldId,
  tiktokTexts,
  type TiktokChoice,
} from '../draft/tiktok-rules.ts'

export type TiktokFormProps = {
  pageKey: string
  creator: TiktokCreatorInfo
  choice: TiktokChoice
  onChange: (patch: Partial<TiktokChoice>) => void
}

/** The form that TikTok requires before a post. Nothing may be preselected. */
export function TiktokForm({ pageKey, creator, choice, onChange }: TiktokFormProps) {
  const privacy = offeredPrivacy(choice, creator)
  const isBranded = choice.discloses && choice.brandedContent
  return (
    <>
      <p className={text['breakable']}>
        Posting as <strong>{creator.nickname || creator.username}</strong>
        {creator.username && creator.username !== creator.nickname && (
          <span className={text['muted']}> @{creator.username}</span>
        )}
      </p>
      <div id={tiktokFieldId(pageKey, 'privacy')}>
        <Select<TiktokPrivacyLevel>
          label="Who can see this video"
          placeholder="Choose who can see it"
          value={privacy}
          onChange={(privacyLevel) => onChange({ privacyLevel })}
          options={creator.privacyLevels.map((level) => privacyOption(level, isBranded))}
          error={choice.privacyLevel !== null && privacy === null ? tiktokTexts.privacyGone : undefined}
        />
      </div>
      <Interactions creator={creator} choice={choice} onChange={onChange} />
      <Disclosure pageKey={pageKey} choice={choice} onChange={onChange} privacy={privacy} />
      <div className={classes(layout['stack-1'], text['note'])}>
        <TiktokConsent branded={isBranded} />
        <p>{tiktokTexts.takesMinutes}</p>
      </div>
    </>
  )
}

function privacyOption(level: TiktokPrivacyLevel, isBranded: boolean): Option<TiktokPrivacyLevel> {
  const option = { value: level, label: privacyNames[level] }
  return level === 'SELF_ONLY' && isBranded
    ? { ...option, disabled: true, description: 'Branded content visibility cannot be set to private.' }
    : option
}

function Interactions({ creator, choice, onChange }: Omit<TiktokFormProps, 'pageKey'>) {
  const rows = [
    { key: 'allowComment', label: 'Comment', off: creator.commentDisabled },
    { key: 'allowDuet', label: 'Duet', off: creator.duetDisabled },
    { key: 'allowStitch', label: 'Stitch', off: creator.stitchDisabled },
  ] as const
  return (
    <fieldset className={layout['stack-1']}>
      <legend className={text['label']}>Allow users to</legend>
      <div className={styles['boxes']}>
        {rows.map(({ key, label, off }) => (
          <Checkbox
            key={key}
            checked={choice[key] && !off}
            onChange={(on) => onChange({ [key]: on })}
            disabled={off}
            description={off && "Off in this account's TikTok settings"}
          >
            {label}
          </Checkbox>
        ))}
      </div>
    </fieldset>
  )
}

function Disclosure({
  pageKey,
  choice,
  onChange,
  privacy,
}: Omit<TiktokFormProps, 'creator'> & { privacy: TiktokPrivacyLevel | null }) {
  const label = labelOf(choice)
  const isPrivate = privacy === 'SELF_ONLY'
  return (
    <div className={classes(layout['stack-3'], styles['disclosure'])}>
      <Switch
        on={choice.discloses}
        onChange={(discloses) => onChange({ discloses })}
        description="Turn on to disclose that this video promotes goods or services in exchange for something of value. It could promote yourself, a third party, or both."
      >
        Disclose commercial content
      </Switch>
      {choice.discloses && (
        <fieldset id={tiktokFieldId(pageKey, 'disclosure')} className={layout['stack-1']}>
          <legend className={hidden['hidden']}>What this video promotes</legend>
          <Checkbox
            checked={choice.yourBrand}
            onChange={(yourBrand) => onChange({ yourBrand })}
            description="You are promoting yourself or your own business."
          >
            Your brand
          </Checkbox>
          <Checkbox
            checked={choice.brandedContent}
            onChange={(brandedContent) => onChange({ brandedContent })}
            disabled={isPrivate && !choice.brandedContent}
            description={
              isPrivate
                ? 'Branded content visibility cannot be set to private.'
                : 'You are promoting another brand or a third party.'
            }
          >
            Branded content
          </Checkbox>
          <div className={styles['label']}>
            <Alert tone={label ? 'info' : 'warning'} live>
              {label ?? tiktokTexts.undisclosed}
            </Alert>
          </div>
        </fieldset>
      )}
    </div>
  )
}
