import { createHash, randomBytes } from 'node:crypto'

/** The keys of an item's files; all of one item share a folder, so that it can be removed as one. */
export const itemFolder = (id: string) => `media/${id}`
export const originalKey = (id: string) => `${itemFolder(id)}/original`
export const displayKey = (id: string, extension: 'jpg' | 'png') => `${itemFolder(id)}/display.${extension}`
export const renditionKey = (id: string, recipe: string) => `${itemFolder(id)}/renditions/${recipe}`
/** The public renditions of one gallery entry; another entry of the same item has another folder. */
export const publicFolder = (id: string, galleryItemId: string) => `${itemFolder(id)}/gallery/${galleryItemId}`

/** Contains a content hash: another picture has another name, and may be cached for ever. */
export function thumbnailKey(id: string, bytes: Uint8Array): string {
  return `${itemFolder(id)}/thumbnail-${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.webp`
}

/** A poster's name is used once: one that another replaced may be removed, and never comes back. */
export const posterKey = (id: string) => `${itemFolder(id)}/thumbnail-${randomBytes(8).toString('hex')}.webp`

export const isThumbnail = (key: string): boolean => key.includes('/thumbnail-')

/** The item that owns this file. */
export function itemIdIn(key: string): string | undefined {
  return /^media\/([0-9a-f-]{36})\//.exec(key)?.[1]
}
