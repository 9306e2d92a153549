import { serveTasks } from '../../../core/serve-tasks.ts'
import type { Region, Size } from '../rules/rendition.ts'
import type { drawSharePicture as DrawSharePicture } from './draw-share-picture.ts'
import type { FileAnswer } from './file-tasks.ts'
import { RefusedFile } from './refused-file.ts'

// Modules load with the first task that needs them: a picture needs no video library.
const pictures = async () => await import('./draw-pictures.ts')
const images = async () => await import('./inspect-image.ts')

/** The tasks of this process. Files are passed by path; drawn pictures are small enough to pass as bytes. */
export const fileTasks = {
  inspectImage: async (input: { file: string; type: 'image/jpeg' | 'image/png' }) =>
    await (await images()).inspectImage(input.file, input.type),
  inspectVideo: async (input: { file: string }) => await (await import('./inspect-video.ts')).inspectVideo(input.file),
  /** A poster drawn by a browser: JPEG, PNG or WebP. */
  drawThumbnail: async (input: { bytes: Uint8Array }) => await (await images()).drawThumbnail(input.bytes),
  /** A picture of a page at a network. */
  drawAvatar: async (input: { bytes: Uint8Array }) => await (await images()).drawAvatar(input.bytes),
  measurePicture: async (input: { file: string }) => await (await pictures()).measurePicture(input.file),
  encodeJpeg: async (input: { file: string; bytes: number; canvas: Size | undefined; region: Region | undefined }) =>
    await (await pictures()).encodeJpeg(input.file, input),
  drawPublicPictures: async (input: { file: string }) => await (await pictures()).drawPublicPictures(input.file),
  drawSitePictures: async (input: { bytes: Uint8Array }) => await (await pictures()).drawSitePictures(input.bytes),
  drawSharePicture: async (input: Parameters<typeof DrawSharePicture>[0]) =>
    await (await import('./draw-share-picture.ts')).drawSharePicture(input),
  remuxVideo: async (input: { from: string; to: string }) =>
    await (await import('./remux.ts')).remux(input.from, input.to),
}

async function runTask(task: unknown): Promise<FileAnswer> {
  const { name, input } = task as { name: keyof typeof fileTasks; input: never }
  try {
    return { result: await fileTasks[name](input) }
  } catch (error) {
    if (error instanceof RefusedFile) return { refused: error.message }
    const { message, code, errno } = error as NodeJS.ErrnoException
    return { fault: { message: message ?? String(error), code, errno } }
  }
}

if (import.meta.main) serveTasks(runTask)
