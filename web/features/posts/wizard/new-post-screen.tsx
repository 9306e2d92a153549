import { useEffect, useRef, useState } from 'react'
import { useSessionUser } from '../../../lib/session.ts'
import { newUuid } from '../../../lib/uuid.ts'
import { Button } from '../../../ui/button.tsx'
import { Stepper } from '../../../ui/stepper.tsx'
import { usePreload } from '../../../ui/lazy-component.tsx'
import { uploads } from '../../media/uploads.ts'
import { arrivingMedia, previewsOf, strandedIds } from './pending-uploads.ts'
import { ChooseMediaStep } from './choose-media-step.tsx'
import { firstGap, missingField, whyNotDone } from '../draft/draft-completeness.ts'
import { isSent, retryDraft } from '../draft/draft-request.ts'
import type { DraftStore } from '../draft/draft-store.ts'
import { wizardDraft } from '../draft/draft-uploads.ts'
import { newDraft } from '../draft/draft.ts'
import { classes } from '../../../ui/classes.ts'
import layout from '../../../ui/layout.module.css'
import styles from './new-post-screen.module.css'
import {
  ChoosePagesStep,
  lazyParts,
  loadSave,
  ReadyStep,
  SentStep,
  StoredDraftNotice,
  WriteCaptionsStep,
} from './lazy-steps.tsx'
import { forgetFailure } from '../draft/submission.ts'
import { useCreators } from '../parts/use-creators.ts'
import { useDraft } from '../draft/use-draft.ts'
import { usePicking } from './use-picking.ts'
import { canSave } from '../draft/duplicate.ts'
import { useSaveDraft } from '../draft/use-save-draft.ts'
import { useStep } from './use-step.ts'
import { useSentPost } from './use-sent-post.ts'
import { useSubmit } from './use-submit.ts'

const steps = ['Media', 'Accounts', 'Caption', 'Post']

export function NewPostScreen() {
  usePreload(lazyParts)
  const user = useSessionUser()
  return user && <Wizard key={user._id} store={wizardDraft(user._id, uploads)} />
}

function Wizard({ store }: { store: DraftStore }) {
  const draft = useDraft(store)
  const picking = usePicking(store)
  const creators = useCreators(draft)
  const sent = useSentPost(store, draft)
  const { submission, send, enqueue } = useSubmit(store, picking.arrive)
  const around = {
    stranded: strandedIds(draft, picking.arrivals),
    creators: new Map([...creators].flatMap(([key, { info }]) => (info ? [[key, info]] : []))),
  }
  const { step, stepChanged, go: goToStep } = useStep(store, draft, around, submission.stage !== 'idle')
  // Set when the artist pressed the last step's link to what is missing.
  const [sought, setSought] = useState(false)
  const go = (target: number, seeks = false) => {
    setSought(seeks)
    goToStep(target)
  }
  const here = `${draft.id} ${step}`
  const lastHere = useRef(here)
  useEffect(() => {
    if (lastHere.current === here) return
    lastHere.current = here
    forgetFailure(store.userId)
    if (!sought) window.scrollTo({ top: 0, behavior: 'instant' })
  }, [store, here, sought])
  const saving = useSaveDraft(store, picking.arrive, loadSave)
  const isFree = submission.stage === 'idle' && canSave(draft)
  // Headings get the focus after a change of step; on arrival it stays where the browser put it.
  const common = {
    draft,
    update: store.update,
    focused: stepChanged,
    why: whyNotDone(draft, step, around),
    onGo: go,
    aside: isFree && (
      <Button
        size="small"
        onPress={() => saving.save('saveAndClose')}
        pending={saving.pending}
        pendingLabel="Saving..."
      >
        Save draft
      </Button>
    ),
  }
  const previews = previewsOf(draft, picking.arrivals)
  const begin = () => store.update(() => newDraft(newUuid()))

  return (
    <div className={classes(layout['to-the-edge'], styles['wizard'])}>
      <Stepper label="Steps of a new post" steps={steps} current={isSent(draft) ? 4 : step} />
      {draft.stored && !saving.pending && submission.stage === 'idle' && (
        <StoredDraftNotice store={store} draft={draft} draftId={draft.stored.id} onKeep={() => saving.save('keep')} />
      )}
      {isSent(draft) ? (
        <SentStep
          draft={draft}
          sent={sent}
          focused
          previews={previews}
          onNew={begin}
          onRetry={(failed) => store.update((now) => retryDraft(now, newUuid(), failed))}
        />
      ) : step === 1 ? (
        <ChooseMediaStep {...common} picking={picking} />
      ) : step === 2 ? (
        <ChoosePagesStep {...common} />
      ) : step === 3 ? (
        <WriteCaptionsStep
          {...common}
          creators={creators}
          previews={previews}
          field={missingField(draft, around)}
          sought={sought}
        />
      ) : (
        <ReadyStep
          {...common}
          gap={firstGap(draft, around)}
          onSeek={(target) => go(target, true)}
          previews={previews}
          submission={submission}
          arriving={arrivingMedia(draft, picking.arrivals)}
          onSend={send}
          onEnqueue={enqueue}
          onNew={begin}
        />
      )}
    </div>
  )
}
