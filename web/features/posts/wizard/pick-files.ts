import { claimedType } from '@flashsheet/contracts/media/rules'
import type { Upload } from '../../media/upload.ts'
import {
  addMedia,
  chooseMode,
  replaceMedia,
  whyNotTaken,
  type Draft,
  type MediaMode,
  type SelectedMedia,
} from '../draft/draft.ts'

export const oneFileOnly = 'This takes one file. Only the first was taken.'

type FileFacts = Pick<File, 'name' | 'type' | 'size'>

function kindOf(file: FileFacts): 'image' | 'video' | null {
  const type = claimedType(file.type, file.name)
  if (type.startsWith('video/')) return 'video'
  return type.startsWith('image/') ? 'image' : null
}

/** The card for files that were dropped before one was chosen. */
export function modeFor(files: readonly FileFacts[]): MediaMode | null {
  const [first] = files
  if (!first) return null
  if (kindOf(first) === 'video') return 'video'
  return files.length > 1 ? 'multiple-images' : 'single-image'
}

/**
 * The first files that the draft has room for, and why the rest is refused. Types and sizes are checked later, where a file of another
 * type gets its own message.
 */
export function roomFor<F extends FileFacts>(
  draft: Draft,
  files: readonly F[],
): { taken: F[]; refusal: { message: string; file: F | null } | null } {
  const single = draft.mode === 'video' || draft.mode === 'single-image'
  let media = draft.media
  const taken: F[] = []
  for (const file of files) {
    if (single && taken.length === 1) return { taken, refusal: { message: oneFileOnly, file: null } }
    const kind = kindOf(file)
    const lost = findLostItem(draft, file)
    const refusal = kind === null || lost ? null : whyNotTaken(draft, media, { type: kind })
    if (refusal) return { taken, refusal: { message: refusal, file } }
    taken.push(file)
    if (kind !== null && !lost) media = [...media, { type: kind } as SelectedMedia]
  }
  return { taken, refusal: null }
}

/** The item that a reload lost and whose file is now picked again. */
function findLostItem(
  draft: Draft,
  file: FileFacts,
  known: (id: string) => boolean = () => false,
): SelectedMedia | undefined {
  return draft.media.find(
    (item) => item.mediaId === null && !known(item._id) && item.name === file.name && item.size === file.size,
  )
}

/** An upload as an item of the draft. */
export function fromUpload(upload: Upload): SelectedMedia {
  const { id, name, type, size, duration, dimensions, encoding } = upload
  return {
    _id: id,
    mediaId: null,
    name,
    type,
    preview: null,
    url: null,
    size,
    isLocal: true,
    duration,
    dimensions,
    encoding,
  }
}

/**
 * Adds started uploads to the draft; an item lost by a reload is replaced in its position. `known`: whether an upload with
 * this id exists. Returns why one was not added.
 */
export function takeUploads(
  draft: Draft,
  begun: readonly Upload[],
  known: (id: string) => boolean,
): { draft: Draft; message: string | null } {
  let next = draft
  let message: string | null = null
  for (const upload of begun) {
    const lost = findLostItem(next, { ...upload, type: '' }, known)
    if (lost) next = replaceMedia(next, lost._id, fromUpload(upload))
    else {
      const added = addMedia(next, [fromUpload(upload)])
      next = added.draft
      message ??= added.message
    }
  }
  return { draft: next, message }
}

/** Chooses the fitting card when none was chosen. */
export function withMode(draft: Draft, files: readonly FileFacts[]): Draft {
  const mode = draft.mode ?? modeFor(files)
  return mode === null ? draft : chooseMode(draft, mode)
}
