import { useState } from 'react'
import { refusalAt, type PickRefusal } from '../../media/pick-refusal.tsx'
import { uploads } from '../../media/uploads.ts'
import { useUploads } from '../../media/use-uploads.ts'
import type { DraftStore } from '../draft/draft-store.ts'
import { linkUploadedMedia } from '../draft/draft.ts'
import { filesThatFit, addUploads, withModeFor } from './pick-files.ts'
import { UserFacingError } from '../draft/submission.ts'

/** Picks files of this device: checks them against the card and the picked items, starts their uploads and adds them to the draft. */
export function usePicking(store: DraftStore) {
  const pendingUploads = useUploads()
  /** Why some files of the last pick were refused. */
  const [refusal, setRefusal] = useState<PickRefusal | null>(null)
  const onRefuse = (message: string | null) => setRefusal(message === null ? null : refusalAt([], message, null))

  const pick = async (files: readonly File[]) => {
    onRefuse(null)
    store.update((draft) => withModeFor(draft, files))
    const before = store.get()
    const picked = filesThatFit(before, files)
    // `uploads.add` has a message of its own for no files, which would hide the reason why none fits.
    const started =
      picked.fitting.length > 0 || picked.refusal === null
        ? await uploads.add(picked.fitting)
        : { uploads: [], refusal: null }
    const now = store.get()
    if (now.id !== before.id || now.mode !== before.mode || now.tab !== before.tab) {
      // The artist has changed the tab or the card during the checks.
      for (const upload of started.uploads) uploads.remove(upload.id)
      return
    }
    const added = addUploads(now, started.uploads, (id) => uploads.get().has(id))
    store.update(() => added.draft)
    for (const upload of started.uploads)
      if (!added.draft.media.some((item) => item._id === upload.id)) uploads.remove(upload.id)
    const refused =
      started.refusal ?? picked.refusal ?? (added.message === null ? null : { message: added.message, file: null })
    setRefusal(refused && refusalAt(files, refused.message, refused.file))
  }

  return {
    pendingUploads,
    refusal,
    onRefuse,
    /** Adds the files after the refused one; absent while the draft has no room for them. */
    onAddRest:
      refusal !== null && filesThatFit(store.get(), refusal.rest).fitting.length > 0
        ? () => void pick(refusal.rest)
        : undefined,
    onFiles: (files: readonly File[]) => void pick(files),
    /** Resumes an upload that failed or was paused. */
    onRetry: (id: string) => (uploads.isPaused(id) ? uploads.resume(id) : uploads.retry(id)),
    /** Resolves once these local files are in the library and linked to the draft. Rejects with UserFacingError. */
    awaitUploads: async (ids: readonly string[]) => {
      const items = await uploads.awaitUploads(ids).catch((error: unknown) => {
        throw new UserFacingError(error instanceof Error ? error.message : String(error))
      })
      ids.forEach((id, at) => {
        const item = items[at]
        if (item) store.update((draft) => linkUploadedMedia(draft, id, item))
      })
    },
  }
}
