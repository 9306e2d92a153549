import { serveTasks } from '../../../core/serve-tasks.ts'
import type { FileAnswer } from './file-tasks.ts'
import { RefusedFile } from './refused-file.ts'

/**
 * The tasks of this process. A module loads with the first task that needs it: a picture needs no video library. Files
 * are passed by path; drawn pictures are small enough to pass as bytes.
 */
export const fileTasks = {
  inspectImage: async () => (await import('./inspect-image.ts')).inspectImage,
  inspectVideo: async () => (await import('./inspect-video.ts')).inspectVideo,
  /** A poster drawn by a browser: JPEG, PNG or WebP. */
  drawThumbnail: async () => (await import('./inspect-image.ts')).drawThumbnail,
  /** A picture of a page at a network. */
  drawAvatar: async () => (await import('./inspect-image.ts')).drawAvatar,
  measurePicture: async () => (await import('./draw-pictures.ts')).measurePicture,
  encodeJpeg: async () => (await import('./draw-pictures.ts')).encodeJpeg,
  drawPublicPictures: async () => (await import('./draw-pictures.ts')).drawPublicPictures,
  drawSitePictures: async () => (await import('./draw-pictures.ts')).drawSitePictures,
  drawSharePicture: async () => (await import('./draw-share-picture.ts')).drawSharePicture,
  remuxVideo: async () => (await import('./remux.ts')).remux,
}

async function runTask(task: unknown): Promise<FileAnswer> {
  const { name, input } = task as { name: keyof typeof fileTasks; input: never[] }
  try {
    const run: (...input: never[]) => Promise<unknown> = await fileTasks[name]()
    return { result: await run(...input) }
  } catch (error) {
    if (error instanceof RefusedFile) return { refused: error.message }
    const { message, code, errno } = error as NodeJS.ErrnoException
    return { fault: { message: message ?? String(error), code, errno } }
  }
}

if (import.meta.main) serveTasks(runTask)
