import { onNextLogIn } from '../../lib/remembered-user.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { createListeners } from '../../ui/listeners.ts'
import { createUploadStore } from './upload-store.ts'

const library = createListeners()

/** Calls `listener` when an upload of this window changes the library. Returns the unsubscribe function. */
export const onLibraryChanged = library.subscribe

/** The uploads of this window. Uppy, tus and the video reader are loaded with the first file that needs them. */
export const uploads = createUploadStore({
  openEngine: async (events) => (await import('./upload-engine.ts')).openEngine(events),
  readVideoMetadata: async (file) => await (await import('./read-video-metadata.ts')).readVideoMetadata(file),
  drawPoster: async (src, duration) => await (await import('./read-video-metadata.ts')).drawPoster(src, duration),
  async sendPoster(address, poster) {
    const answer = await fetch(`${address}/poster`, { method: 'POST', body: poster })
    if (!answer.ok) throw new Error(`the poster was refused with ${answer.status}`)
  },
  fetchItem: async (id) => await trpcClient.media.get.query({ id }),
  onLibraryChanged: () => library.notify(),
  addressOf: (blob) => URL.createObjectURL(blob),
  revokeAddress: (address) => URL.revokeObjectURL(address),
  now: () => Date.now(),
})

// The former user's files would be sent to the library of the new one. Those of the same user failed when the session ended.
onNextLogIn((isOtherUser) => {
  for (const { id, retryable } of uploads.get().values()) {
    if (isOtherUser) uploads.remove(id)
    else if (retryable) uploads.retry(id)
  }
})
