/**
 * The row that owns a stored file, if there is one. Ids are never reused, so a file without a row never gets one again.
 */
export type FileOwner =
  /** An item or an upload that becomes one: both have the same id, and their files share a folder. */
  | { kind: 'item'; id: string }
  | { kind: 'galleryEntry'; id: string }
  | { kind: 'upload'; id: string }
  | { kind: 'siteImage'; id: string }
  /** The copy of a page's picture; its id has the name of the file, since a page shows one of them. */
  | { kind: 'pagePicture'; id: string }
  /** A temporary file, which is renamed when it is complete. */
  | { kind: 'nobody' }

const draft = /^(?:media|site-images|page-pictures)\/.+\.draft$/
const galleryFile = /^media\/[0-9a-f-]{36}\/gallery\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\//
const itemFile = /^media\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\//
/** In a folder of their own on disk, at the root of a bucket; each with a file of metadata. */
const uploadFile = /^(?:uploads\/)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.json|\.info|\.part)?$/
const pagePictureFile = /^page-pictures\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[0-9a-f]{16}\.webp)$/
const siteImageFile = /^site-images\/([\w-]{22})\//

/** Undefined for files that the product does not make, or uses itself: these are left alone. */
export function ownerOfFile(key: string): FileOwner | undefined {
  if (draft.test(key)) return { kind: 'nobody' }
  const ways: [RegExp, Exclude<FileOwner['kind'], 'nobody'>][] = [
    [galleryFile, 'galleryEntry'],
    [itemFile, 'item'],
    [uploadFile, 'upload'],
    [siteImageFile, 'siteImage'],
    [pagePictureFile, 'pagePicture'],
  ]
  for (const [pattern, kind] of ways) {
    const [, found] = pattern.exec(key) ?? []
    if (found !== undefined) return { kind, id: found }
  }
  return undefined
}
