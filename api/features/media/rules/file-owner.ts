/**
 * The row that owns a stored file, if there is one. Ids are never reused, so a file without a row never gets one again.
 */
export type FileOwner =
  /** An item, or an upload that becomes one: both have the same id, and their files share a folder. */
  | { kind: 'item'; id: string }
  | { kind: 'galleryEntry'; id: string }
  | { kind: 'upload'; id: string }
  | { kind: 'siteImage'; id: string }
  /** The copy of a page's picture. The id contains the file's name, since a page owns only its current copy. */
  | { kind: 'pagePicture'; id: string }
  /** A temporary file, which is renamed when it is complete. */
  | { kind: 'nobody' }

const draft = /^(?:media|site-images|page-pictures)\/.+\.draft$/
const galleryFile = /^media\/[0-9a-f-]{36}\/gallery\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\//
const itemFile = /^media\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\//
/** Uploads are in a folder on disk and at the root of a bucket, each with a file of metadata. */
const uploadFile = /^(?:uploads\/)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.json|\.info|\.part)?$/
const pagePictureFile = /^page-pictures\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[0-9a-f]{16}\.webp)$/
const siteImageFile = /^site-images\/([\w-]{22})\//

/** Undefined for files that the sweep must not touch: those that the product does not make, or needs for itself. */
export function ownerOfFile(key: string): FileOwner | undefined {
  if (draft.test(key)) return { kind: 'nobody' }
  const patterns: [RegExp, Exclude<FileOwner['kind'], 'nobody'>][] = [
    [galleryFile, 'galleryEntry'],
    [itemFile, 'item'],
    [uploadFile, 'upload'],
    [siteImageFile, 'siteImage'],
    [pagePictureFile, 'pagePicture'],
  ]
  for (const [pattern, kind] of patterns) {
    const [, id] = pattern.exec(key) ?? []
    if (id !== undefined) return { kind, id }
  }
  return undefined
}
