import type { UploadStore } from '../../media/upload-store.ts'
import { draftOf, type DraftStore } from './draft-store.ts'
import { linkUploadedMedia } from './draft.ts'

type UploadsOfDraft = Pick<UploadStore, 'get' | 'subscribe' | 'remove'>

/** Connects a draft to the uploads of this window: finished ones are written to the draft, and those of removed items are cancelled. */
export function connectUploads(store: DraftStore, uploads: UploadsOfDraft): void {
  const linkFinished = () => {
    for (const item of store.get().media) {
      const uploaded = item.mediaId === null ? uploads.get().get(item._id)?.item : undefined
      if (uploaded) store.update((draft) => linkUploadedMedia(draft, item._id, uploaded))
    }
  }
  uploads.subscribe(linkFinished)
  store.subscribe((now, before) => {
    const remaining = new Set(now.media.map((item) => item._id))
    for (const item of before.media) if (item.isLocal && !remaining.has(item._id)) uploads.remove(item._id)
    linkFinished()
  })
}

const connected = new WeakSet<DraftStore>()

/** The draft of one user, connected to the uploads of this window. */
export function wizardDraft(userId: string, uploads: UploadsOfDraft): DraftStore {
  const store = draftOf(userId)
  if (!connected.has(store)) {
    connected.add(store)
    connectUploads(store, uploads)
  }
  return store
}
