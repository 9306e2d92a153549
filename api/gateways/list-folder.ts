import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import type { StoredFile, StoredPage } from './storage.ts'

const isGone = (error: unknown) => ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')

/**
 * The paths of all files below a folder, after a path, each folder's entries by name. A folder that is deleted meanwhile
 * has none, and hides none of another.
 */
export async function* filesBelow(
  root: string,
  under: readonly string[] = [],
  after: readonly string[] = [],
): AsyncGenerator<string[]> {
  const [first, ...rest] = after
  const entries = await fs.readdir(path.join(root, ...under), { withFileTypes: true }).catch((error: unknown) => {
    if (isGone(error)) return []
    throw error
  })
  const byName = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of byName) {
    if (first !== undefined && entry.name < first) continue
    const place = [...under, entry.name]
    if (entry.isDirectory()) yield* filesBelow(root, place, entry.name === first ? rest : [])
    else if (entry.isFile() && entry.name !== first) yield place
  }
}

/** The first `limit` files of a folder after `after`; reads no more folders than needed. */
export async function listFolder(root: string, after: string | undefined, limit: number): Promise<StoredPage> {
  const files: StoredFile[] = []
  let last: string | undefined
  for await (const place of filesBelow(root, [], after?.split('/') ?? [])) {
    // One more than fits.
    if (files.length === limit) return { files, next: last }
    try {
      files.push({ key: place.join('/'), modifiedAt: (await fs.stat(path.join(root, ...place))).mtime })
      last = place.join('/')
    } catch (error) {
      if (!isGone(error)) throw error
    }
  }
  return { files, next: undefined }
}
