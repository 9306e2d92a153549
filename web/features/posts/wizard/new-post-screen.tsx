import { useEffect, useRef, useState } from 'react'
import { useSessionUser } from '../../../lib/session.ts'
import { newUuid } from '../../../lib/uuid.ts'
import { Button } from '../../../ui/button.tsx'
import { Stepper } from '../../../ui/stepper.tsx'
import { usePreload } from '../../../ui/lazy-component.tsx'
import { uploads } from '../../media/uploads.ts'
import { uploadingMedia, previewsOf, unavailableIds } from './pending-uploads.ts'
import { ChooseMediaStep } from './choose-media-step.tsx'
import { firstIncompleteStep, missingField, incompleteReason } from '../draft/draft-completeness.ts'
import { isSent } from '../draft/draft-request.ts'
import type { DraftStore } from '../draft/draft-store.ts'
import { wizardDraft } from '../draft/draft-uploads.ts'
import { newDraft } from '../draft/draft.ts'
import { classes } from '../../../ui/classes.ts'
import layout from '../../../ui/layout.module.css'
import styles from './new-post-screen.module.css'
import { ChoosePagesStep, lazyParts, ReadyStep, SentStep, StoredDraftNotice, WriteCaptionsStep } from './lazy-steps.tsx'
import { clearFailure } from '../draft/submission.ts'
import { useCreators } from '../parts/use-creators.ts'
import { useDraft } from '../draft/use-draft.ts'
import { usePicking } from './use-picking.ts'
import { canSave } from '../draft/duplicate.ts'
import { useSaveDraft } from './use-save-draft.ts'
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
  const { submission, send, enqueue } = useSubmit(store, picking.awaitUploads)
  const environment = {
    unavailableIds: unavailableIds(draft, picking.pendingUploads),
    creators: new Map([...creators].flatMap(([key, creator]) => (creator?.data ? [[key, creator.data]] : []))),
  }
  const { step, hasStepChanged, go: goToStep } = useStep(store, draft, environment, submission.stage !== 'idle')
  // Set when the artist went from step 4 to the missing field.
  const [seeksMissingField, setSeeksMissingField] = useState(false)
  const go = (target: number, seeks = false) => {
    setSeeksMissingField(seeks)
    goToStep(target)
  }
  const stepKey = `${draft.id} ${step}`
  const lastStepKey = useRef(stepKey)
  useEffect(() => {
    if (lastStepKey.current === stepKey) return
    lastStepKey.current = stepKey
    clearFailure(store.userId)
    if (!seeksMissingField) window.scrollTo({ top: 0, behavior: 'instant' })
  }, [store, stepKey, seeksMissingField])
  const saving = useSaveDraft(store, picking.awaitUploads)
  const isFree = submission.stage === 'idle' && canSave(draft)
  // Headings get the focus after a change of step, but not on the first rendering.
  const common = {
    draft,
    update: store.update,
    focused: hasStepChanged,
    incompleteReason: incompleteReason(draft, step, environment),
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
  const previews = previewsOf(draft, picking.pendingUploads)
  const startNewPost = () => store.update(() => newDraft(newUuid()))

  return (
    <div className={classes(layout['to-the-edge'], styles['wizard'])}>
      <Stepper label="Steps of a new post" steps={steps} current={isSent(draft) ? 4 : step} />
      {draft.stored && !saving.pending && submission.stage === 'idle' && (
        <StoredDraftNotice store={store} draft={draft} draftId={draft.stored.id} onKeep={() => saving.save('keep')} />
      )}
      {isSent(draft) ? (
        <SentStep draft={draft} sent={sent} focused previews={previews} onNew={startNewPost} />
      ) : step === 1 ? (
        <ChooseMediaStep {...common} picking={picking} />
      ) : step === 2 ? (
        <ChoosePagesStep {...common} />
      ) : step === 3 ? (
        <WriteCaptionsStep
          {...common}
          creators={creators}
          previews={previews}
          field={missingField(draft, environment)}
          seeksMissingField={seeksMissingField}
        />
      ) : (
        <ReadyStep
          {...common}
          gap={firstIncompleteStep(draft, environment)}
          onOpenGap={(target) => go(target, true)}
          previews={previews}
          submission={submission}
          uploading={uploadingMedia(draft, picking.pendingUploads)}
          onSend={send}
          onEnqueue={enqueue}
          onNew={startNewPost}
          onKeep={() => saving.save('saveAndClose')}
        />
      )}
    </div>
  )
}
