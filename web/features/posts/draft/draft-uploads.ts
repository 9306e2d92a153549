import type { UploadStore } from '../../media/upload-store.ts'
import { draftOf, type DraftStore } from './draft-store.ts'
import { settleMedia } from './draft.ts'

type UploadsOfDraft = Pick<UploadStore, 'get' | 'subscribe' | 'remove'>

/**
 * Ties a draft to the uploads of this window, for as long as the window lives: what arrives is noted in the draft whatever
 * is on the screen, and what leaves the draft is no longer sent.
 */
export function joinUploads(store: DraftStore, uploads: UploadsOfDraft): void {
  const settle = () => {
    for (const item of store.get().media) {
      const arrived = item.mediaId === null ? uploads.get().get(item._id)?.item : undefined
      if (arrived) store.update((draft) => settleMedia(draft, item._id, arrived))
    }
  }
  uploads.subscribe(settle)
  store.subscribe((now, before) => {
    const kept = new Set(now.media.map((item) => item._id))
    for (const item of before.media) if (item.isLocal && !kept.has(item._id)) uploads.remove(item._id)
    settle()
  })
}

const joined = new WeakSet<DraftStore>()

/** The draft of one person, tied to the uploads of this window. */
export function wizardDraft(userId: string, uploads: UploadsOfDraft): DraftStore {
  const store = draftOf(userId)
  if (!joined.has(store)) {
    joined.add(store)
    joinUploads(store, uploads)
  }
  return store
}
