/** Whose a file of the storage is: the row that names it, if there is one. Ids are used once, so that what lost its row never gets one again. */
export type FileOwner =
  /** An item of a library or an upload on its way to become one: both have the same id, and the files of both lie in one folder. */
  | { kind: 'item'; id: string }
  | { kind: 'galleryEntry'; id: string }
  | { kind: 'upload'; id: string }
  | { kind: 'siteImage'; id: string }
  /** Half a file, which its writer names anew when it is whole. */
  | { kind: 'nobody' }

const draft = /^(?:media|site-images)\/.+\.draft$/
const galleryFile = /^media\/[0-9a-f-]{36}\/gallery\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\//
const itemFile = /^media\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\//
/** On a disk in a folder of their own, in a bucket at its root; beside the bytes lies what is known of them. */
const uploadFile = /^(?:uploads\/)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.json|\.info|\.part)?$/
const siteImageFile = /^site-images\/([\w-]{22})\//

/** Undefined for files the product does not make, or keeps for itself: they are left alone. */
export function ownerOfFile(key: string): FileOwner | undefined {
  if (draft.test(key)) return { kind: 'nobody' }
  const ways: [RegExp, Exclude<FileOwner['kind'], 'nobody'>][] = [
    [galleryFile, 'galleryEntry'],
    [itemFile, 'item'],
    [uploadFile, 'upload'],
    [siteImageFile, 'siteImage'],
  ]
  for (const [pattern, kind] of ways) {
    const [, found] = pattern.exec(key) ?? []
    if (found !== undefined) return { kind, id: found }
  }
  return undefined
}
