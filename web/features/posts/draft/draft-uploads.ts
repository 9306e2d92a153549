import type { UploadStore } from '../../media/upload-store.ts'
import { draftOf, type DraftStore } from './draft-store.ts'
import { settleMedia } from './draft.ts'

type UploadsOfDraft = Pick<UploadStore, 'get' | 'subscribe' | 'remove'>

/** Connects a draft to the uploads of this window: finished ones are written to the draft, and those of removed items are cancelled. */
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
