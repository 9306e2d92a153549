import { declaredType } from '@flashsheet/contracts/media/rules'
import type { Upload } from '../../media/upload.ts'
import {
  addMedia,
  chooseMode,
  factsOf,
  replaceMedia,
  mediaRefusal,
  type Draft,
  type MediaMode,
  type SelectedMedia,
} from '../draft/draft.ts'

export const oneFileOnly = 'Only one file is allowed here. The first one was added.'

type FileFacts = Pick<File, 'name' | 'type' | 'size'>

function kindOf(file: FileFacts): 'image' | 'video' | null {
  const type = declaredType(file.type, file.name)
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
 * The first files that the draft can take, and why the rest is refused. Files that are neither picture nor video pass: the later check of
 * types and sizes has messages for them.
 */
export function filesThatFit<F extends FileFacts>(
  draft: Draft,
  files: readonly F[],
): { fitting: F[]; refusal: { message: string; file: F | null } | null } {
  const takesOneFile = draft.mode === 'video' || draft.mode === 'single-image'
  const media: Pick<SelectedMedia, 'type'>[] = [...draft.media]
  const fitting: F[] = []
  for (const file of files) {
    if (takesOneFile && fitting.length === 1) return { fitting, refusal: { message: oneFileOnly, file: null } }
    const kind = kindOf(file)
    const lost = findLostItem(draft, file)
    const refusal = kind === null || lost ? null : mediaRefusal(draft, media, { type: kind })
    if (refusal) return { fitting, refusal: { message: refusal, file } }
    fitting.push(file)
    if (kind !== null && !lost) media.push({ type: kind })
  }
  return { fitting, refusal: null }
}

/** The item that a reload lost and that this file, picked again, continues. */
function findLostItem(
  draft: Draft,
  file: FileFacts,
  isKnownUpload: (id: string) => boolean = () => false,
): SelectedMedia | undefined {
  return draft.media.find(
    (item) => item.mediaId === null && !isKnownUpload(item._id) && item.name === file.name && item.size === file.size,
  )
}

/** An upload as an item of the draft. */
export function fromUpload(upload: Upload): SelectedMedia {
  return { ...factsOf(upload), _id: upload.id, mediaId: null, preview: null, url: null, isLocal: true }
}

/**
 * Adds started uploads to the draft; an item that a reload lost is replaced at its position. `isKnownUpload`: whether an upload of this id
 * exists. Returns why one was not added.
 */
export function addUploads(
  draft: Draft,
  started: readonly Upload[],
  isKnownUpload: (id: string) => boolean,
): { draft: Draft; message: string | null } {
  let next = draft
  let message: string | null = null
  for (const upload of started) {
    const lost = findLostItem(next, { ...upload, type: '' }, isKnownUpload)
    if (lost) next = replaceMedia(next, lost._id, fromUpload(upload))
    else {
      const added = addMedia(next, [fromUpload(upload)])
      next = added.draft
      message ??= added.message
    }
  }
  return { draft: next, message }
}

/** Chooses the card that fits these files if none was chosen. */
export function withModeFor(draft: Draft, files: readonly FileFacts[]): Draft {
  const mode = draft.mode ?? modeFor(files)
  return mode === null ? draft : chooseMode(draft, mode)
}
