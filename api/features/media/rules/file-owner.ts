import type { OwnerKind } from '../queries/orphaned-files.ts'

/**
 * The row that owns a stored file. Ids are never reused, so a file without a row never gets one again. `nobody`: a
 * temporary file, which is renamed when it is complete.
 */
export type FileOwner = { kind: OwnerKind | 'nobody'; id: string }

const draft = /^(?:media|site-images|page-pictures)\/.+\.draft$/

/** The keys of files, with the id of their row. The first match counts. */
const patterns: readonly [OwnerKind, RegExp][] = [
  ['galleryEntry', /^media\/[0-9a-f-]{36}\/gallery\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\//],
  // An item, or an upload that becomes one: both have the same id, and their files share a folder.
  ['item', /^media\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\//],
  // Uploads are in a folder on disk and at the root of a bucket, each with a file of metadata.
  ['upload', /^(?:uploads\/)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.json|\.info|\.part)?$/],
  ['siteImage', /^site-images\/([\w-]{22})\//],
  ['pagePicture', /^page-pictures\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[0-9a-f]{16}\.webp)$/],
]

/** Undefined for files that the sweep must not touch: those that the product does not make, or needs for itself. */
export function ownerOfFile(key: string): FileOwner | undefined {
  if (draft.test(key)) return { kind: 'nobody', id: '' }
  for (const [kind, pattern] of patterns) {
    const id = pattern.exec(key)?.[1]
    if (id !== undefined) return { kind, id }
  }
  return undefined
}
