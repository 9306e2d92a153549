import { imageTypes, mediaTypes, videoTypes } from '@flashsheet/contracts/media/limits'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { Images, Upload } from 'lucide-react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { useScrollIntoView } from '../../../lib/use-scroll-into-view.ts'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { FileDrop } from '../../../ui/file-drop.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { PickRefusalAlert } from '../../media/pick-refusal.tsx'
import { MediaPicker } from '../../media/media-picker.tsx'
import { useIsLibraryFull } from '../../media/use-library.ts'
import { uploadingMedia, uploadStateOf } from './pending-uploads.ts'
import hidden from '../../../ui/visually-hidden.module.css'
import layout from '../../../ui/layout.module.css'
import { addMedia, chooseMode, chooseTab, fromLibrary, moveMedia, removeMedia, type MediaMode } from '../draft/draft.ts'
import { ArrangeButton } from './arrange-button.tsx'
import { MediaModeCards } from './media-mode-cards.tsx'
import { PickedList } from './picked-list.tsx'
import { StepNavigationBar } from './step-bar.tsx'
import { StepHeading } from './step-heading.tsx'
import type { StepProps } from '../draft/use-draft.ts'
import type { usePicking } from './use-picking.ts'

const pickers: Record<
  MediaMode | 'any',
  { accept: readonly string[]; multiple: boolean; label: string; action: string }
> = {
  video: { accept: videoTypes, multiple: false, label: 'Drop a video here, or', action: 'Choose a video' },
  'single-image': { accept: imageTypes, multiple: false, label: 'Drop a picture here, or', action: 'Choose a picture' },
  'multiple-images': { accept: imageTypes, multiple: true, label: 'Drop pictures here, or', action: 'Choose pictures' },
  any: { accept: mediaTypes, multiple: true, label: 'Drop a video or pictures here, or', action: 'Choose files' },
}

/** Step 1: files from this device, whose upload starts at once, or items of the library. */
export function ChooseMediaStep({
  draft,
  update,
  aside,
  focused,
  incompleteReason,
  picking,
  onGo,
}: StepProps & { picking: ReturnType<typeof usePicking> }) {
  const { pendingUploads, refusal, onRefuse, onAddRest, onFiles, onRetry } = picking
  // Not for an upload that fails meanwhile: the page must not scroll by itself under the artist's finger.
  const refusalAlert = useScrollIntoView(refusal)
  const input = useRef<HTMLInputElement>(null)
  const isFull = useIsLibraryFull()
  const picker = pickers[draft.mode ?? 'any']
  const openPicker = () => {
    PickedList.preload()
    if (!input.current) return
    // Reset, so that picking the same file again is a change.
    input.current.value = ''
    input.current.click()
  }
  const choose = (mode: MediaMode) => {
    // Browsers open a file picker only during the press, so its file types must be rendered at once.
    flushSync(() => {
      onRefuse(isFull ? mediaMessages.libraryFull : null)
      update((now) => chooseMode(now, mode))
    })
    // The same file may be picked again to resume its upload.
    if (!isFull) openPicker()
  }
  const failed = draft.media.find((item) => uploadStateOf(item, pendingUploads) === 'failed')
  const problem =
    refusal ??
    (failed && {
      message: pendingUploads.get(failed._id)?.failure ?? mediaMessages.uploadFailed,
      file: draft.media.length > 1 ? failed.name : null,
      rest: [],
    })
  const toggle = (item: MediaItem) => {
    if (draft.media.some((chosen) => chosen._id === item._id)) {
      onRefuse(null)
      update((now) => removeMedia(now, item._id))
      return
    }
    const added = addMedia(draft, [fromLibrary(item)])
    onRefuse(added.message)
    update(() => added.draft)
  }
  const pickedList = draft.media.length > 0 && (
    <section className={layout['words']} aria-label="Picked media">
      <PickedList
        media={draft.media}
        pendingUploads={pendingUploads}
        onMove={(id, to) => update((now) => moveMedia(now, id, to))}
        onRemove={(id) => {
          onRefuse(null)
          update((now) => removeMedia(now, id))
        }}
        onRetry={onRetry}
        onPickAgain={openPicker}
      />
      <output className={hidden['hidden']}>
        {uploadingMedia(draft, pendingUploads).length === 0 ? (incompleteReason ?? 'All files uploaded') : 'Uploading'}
      </output>
    </section>
  )
  return (
    <>
      {problem && (
        <div ref={refusalAlert}>
          <PickRefusalAlert
            refusal={problem}
            onAddRest={onAddRest}
            action={
              problem.message === mediaMessages.libraryFull && (
                <ButtonLink size="small" to="/media">
                  Open Media
                </ButtonLink>
              )
            }
          />
        </div>
      )}
      <StepHeading title="Select Media" focused={focused} aside={aside}>
        What do you want to show?
      </StepHeading>
      <Tabs
        label="Where it comes from"
        selected={draft.tab}
        onSelect={(tab) => {
          onRefuse(null)
          update((now) => chooseTab(now, tab))
        }}
        items={[
          {
            id: 'upload',
            label: 'Upload',
            icon: <Upload />,
            content: (
              <div className={layout['stack-5']}>
                <MediaModeCards mode={draft.mode} onChoose={choose} />
                {pickedList}
                <FileDrop
                  {...picker}
                  hint={isFull ? mediaMessages.libraryFull : mediaMessages.hint}
                  onFiles={onFiles}
                  inputRef={input}
                />
              </div>
            ),
          },
          {
            id: 'library',
            label: 'Media Library',
            icon: <Images />,
            content: (
              <div className={layout['stack-5']}>
                <MediaPicker
                  selected={draft.media.map((item) => item._id)}
                  onToggle={toggle}
                  emptyAction={
                    <Button variant="primary" onPress={() => update((now) => chooseTab(now, 'upload'))}>
                      Upload files
                    </Button>
                  }
                />
              </div>
            ),
          },
        ]}
      />
      <StepNavigationBar
        back={
          draft.tab === 'library' &&
          draft.media.length > 0 && <ArrangeButton count={draft.media.length}>{pickedList}</ArrangeButton>
        }
        onNext={() => onGo(2)}
        disabledReason={incompleteReason}
      />
    </>
  )
}
