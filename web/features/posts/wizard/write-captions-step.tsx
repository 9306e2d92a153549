import { networks } from '@flashsheet/contracts/networks'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { RadioGroup } from '../../../ui/radio-group.tsx'
import { CaptionFields } from '../parts/caption-fields.tsx'
import {
  captionOf,
  pageKey,
  restoreIndividual,
  setCaption,
  setGlobal,
  setTiktok,
  type SelectedPage,
} from '../draft/draft.ts'
import type { MediaPreview } from '../parts/media-preview.ts'
import { CaptionMedia } from '../parts/caption-media.tsx'
import { PageOptions } from './page-options.tsx'
import { PageSection } from '../parts/page-section.tsx'
import { BackButton, focusField, StepNavigationBar } from './step-bar.tsx'
import { StepHeading } from './step-heading.tsx'
import { withoutDisallowed } from '../draft/tiktok-rules.ts'
import type { Creators } from '../parts/use-creators.ts'
import type { StepProps } from '../draft/use-draft.ts'
import { classes } from '../../../ui/classes.ts'
import layout from '../../../ui/layout.module.css'
import styles from './write-captions-step.module.css'

const sections = classes(layout['stack-6'], styles['sections'])

export type WriteCaptionsStepProps = StepProps & {
  creators: Creators
  previews: ReadonlyMap<string, MediaPreview>
  /** The id of the missing field, if any. */
  field: string | null
  /** The artist came from step 4 to fill in that field. */
  seeksMissingField: boolean
}

/** Step 3: captions, global or for each page, and the options of networks that have any. */
export function WriteCaptionsStep({
  draft,
  update,
  aside,
  creators,
  previews,
  focused,
  incompleteReason,
  field,
  seeksMissingField,
  onGo,
}: WriteCaptionsStepProps) {
  const router = useRouter()
  // Only for the field that was missing on arrival, so that the page does not scroll while the artist fills in the fields.
  useEffect(() => {
    if (!seeksMissingField || field === null) return
    focusField(field)
    // Once the router has rendered the navigation to this step, it scrolls to the top.
    const stop = router.subscribe('onRendered', () => {
      stop()
      focusField(field)
    })
    return stop
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, [])
  /** Removes choices that TikTok no longer allows, so that the post matches the form. */
  const next = () => {
    for (const [key, creator] of creators) {
      const info = creator?.data
      if (info) update((now) => (now.tiktok[key] ? setTiktok(now, key, withoutDisallowed(now.tiktok[key], info)) : now))
    }
    onGo(4)
  }
  return (
    <>
      <StepHeading title="Post Caption" focused={focused} aside={aside}>
        Write it once, or give each page its own words.
      </StepHeading>
      <div className={styles['layout']}>
        <CaptionMedia media={draft.media} previews={previews} />
        <div className={sections}>
          <RadioGroup
            label="Captions"
            isLabelHidden
            variant="cards"
            value={draft.isGlobal ? 'global' : 'individual'}
            onChange={(mode) => update((now) => setGlobal(now, mode === 'global'))}
            options={[
              { value: 'global', label: 'Global', description: 'The same words on every page' },
              { value: 'individual', label: 'Individual', description: 'Its own words for each page' },
            ]}
          />
          {draft.isGlobal ? (
            <Global draft={draft} update={update} creators={creators} />
          ) : (
            <Individual draft={draft} update={update} creators={creators} />
          )}
        </div>
      </div>
      <StepNavigationBar
        back={<BackButton onPress={() => onGo(2)} />}
        onNext={next}
        disabledReason={incompleteReason}
        field={field}
      />
    </>
  )
}

type CaptionProps = Pick<WriteCaptionsStepProps, 'draft' | 'update' | 'creators'>

const hasOptions = (page: SelectedPage) => networks[page.platform].extras.length > 0

function Global({ draft, update, creators }: CaptionProps) {
  return (
    <div className={sections}>
      <CaptionFields
        value={draft.global}
        onChange={(patch) => update((now) => setCaption(now, null, patch))}
        platforms={[...new Set(draft.pages.map((page) => page.platform))]}
        hasTitle
      />
      <div className={classes(layout['stack-5'], styles['pages'])}>
        {draft.pages.filter(hasOptions).map((page) => (
          <PageSection key={pageKey(page)} page={page}>
            <PageOptions page={page} draft={draft} update={update} creator={creators.get(pageKey(page))} />
          </PageSection>
        ))}
      </div>
    </div>
  )
}

function Individual({ draft, update, creators }: CaptionProps) {
  return (
    <div className={sections}>
      {draft.replaced && (
        <Alert
          tone="info"
          live
          action={
            <Button size="small" onPress={() => update(restoreIndividual)}>
              Bring them back
            </Button>
          }
        >
          Your global caption took the place of the ones you had written for each page.
        </Alert>
      )}
      <div className={classes(layout['stack-5'], styles['pages'])}>
        {draft.pages.map((page) => {
          const key = pageKey(page)
          return (
            <PageSection key={key} page={page}>
              <CaptionFields
                value={captionOf(draft, page)}
                onChange={(patch) => update((now) => setCaption(now, key, patch))}
                platforms={[page.platform]}
                hasTitle={networks[page.platform].title !== undefined}
              />
              <PageOptions page={page} draft={draft} update={update} creator={creators.get(key)} />
            </PageSection>
          )
        })}
      </div>
    </div>
  )
}
