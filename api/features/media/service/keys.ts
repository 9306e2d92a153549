import { createHash, randomBytes } from 'node:crypto'

/** The folder of all files of one item, so that they can be deleted together. */
export const itemFolder = (id: string) => `media/${id}`
export const originalKey = (id: string) => `${itemFolder(id)}/original`
export const displayKey = (id: string, extension: 'jpg' | 'png') => `${itemFolder(id)}/display.${extension}`
export const renditionKey = (id: string, recipe: string) => `${itemFolder(id)}/renditions/${recipe}`
/** The public renditions of one gallery entry. A later entry of the same item gets another folder. */
export const publicFolder = (id: string, galleryItemId: string) => `${itemFolder(id)}/gallery/${galleryItemId}`

/** Contains a content hash, so that the picture may be cached forever. */
export function thumbnailKey(id: string, bytes: Uint8Array): string {
  return `${itemFolder(id)}/thumbnail-${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.webp`
}

/** Every poster gets a new key, so that a replaced one can be deleted safely. */
export const posterKey = (id: string) => `${itemFolder(id)}/thumbnail-${randomBytes(8).toString('hex')}.webp`

export const isThumbnail = (key: string): boolean => key.includes('/thumbnail-')

/** The id of the item that owns this file. */
export function itemIdIn(key: string): string | undefined {
  return /^media\/([0-9a-f-]{36})\//.exec(key)?.[1]
}
