import { useState } from 'react'
import { refusedAt, type PickRefusal } from '../../media/pick-refusal.tsx'
import { uploads } from '../../media/uploads.ts'
import { useUploads } from '../../media/use-uploads.ts'
import type { PendingUploads } from './pending-uploads.ts'
import type { DraftStore } from '../draft/draft-store.ts'
import { linkUploadedMedia } from '../draft/draft.ts'
import { roomFor, takeUploads, withMode } from './pick-files.ts'
import { PlainRefusal } from '../draft/submission.ts'

export type Picking = {
  arrivals: PendingUploads
  /** Why some files of the last pick were refused. */
  refusal: PickRefusal | null
  onRefuse: (message: string | null) => void
  /** Adds the files after the refused one; absent while the draft has no room for them. */
  onRest: (() => void) | undefined
  onFiles: (files: readonly File[]) => void
  /** Resumes an upload that failed or was paused. */
  onRetry: (id: string) => void
  /** Resolves once these local files are in the library and in the draft. Throws PlainRefusal. */
  arrive: (ids: readonly string[]) => Promise<void>
}

/** Files of this device: checked against the card and the picked items, uploaded at once, added to the draft. */
export function usePicking(store: DraftStore): Picking {
  const arrivals = useUploads()
  const [refusal, setRefusal] = useState<PickRefusal | null>(null)
  const onRefuse = (message: string | null) => setRefusal(message === null ? null : refusedAt([], message, null))

  const pick = async (files: readonly File[]) => {
    onRefuse(null)
    store.update((draft) => withMode(draft, files))
    const asked = store.get()
    const room = roomFor(asked, files)
    // `uploads.add` has a message of its own for no files, which would hide the reason why none fits.
    const begun =
      room.taken.length > 0 || room.refusal === null ? await uploads.add(room.taken) : { uploads: [], refusal: null }
    const now = store.get()
    if (now.id !== asked.id || now.mode !== asked.mode || now.tab !== asked.tab) {
      // The artist has changed the tab or the card meanwhile.
      for (const upload of begun.uploads) uploads.remove(upload.id)
      return
    }
    const taken = takeUploads(now, begun.uploads, (id) => uploads.get().has(id))
    store.update(() => taken.draft)
    for (const upload of begun.uploads)
      if (!taken.draft.media.some((item) => item._id === upload.id)) uploads.remove(upload.id)
    const refused =
      begun.refusal ?? room.refusal ?? (taken.message === null ? null : { message: taken.message, file: null })
    setRefusal(refused && refusedAt(files, refused.message, refused.file))
  }

  return {
    arrivals,
    refusal,
    onRefuse,
    onRest:
      refusal !== null && roomFor(store.get(), refusal.rest).taken.length > 0
        ? () => void pick(refusal.rest)
        : undefined,
    onFiles: (files) => void pick(files),
    onRetry: (id) => (uploads.isPaused(id) ? uploads.resume(id) : uploads.retry(id)),
    async arrive(ids) {
      const items = await uploads.arrive(ids).catch((error: unknown) => {
        throw new PlainRefusal(error instanceof Error ? error.message : String(error))
      })
      ids.forEach((id, at) => {
        const item = items[at]
        if (item) store.update((draft) => linkUploadedMedia(draft, id, item))
      })
    },
  }
}
