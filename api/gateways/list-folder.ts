import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import type { StoredFile, StoredPage } from './storage.ts'

const isMissing = (error: unknown) => ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')

/**
 * The paths of all files below a folder in the order of their names, from behind the path `after` on. A folder that is
 * deleted during the run counts as empty.
 */
export async function* filesBelow(
  root: string,
  under: readonly string[] = [],
  after: readonly string[] = [],
): AsyncGenerator<string[]> {
  const [first, ...rest] = after
  const entries = await fs.readdir(path.join(root, ...under), { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return []
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
    // There is at least one file more.
    if (files.length === limit) return { files, next: last }
    try {
      files.push({ key: place.join('/'), modifiedAt: (await fs.stat(path.join(root, ...place))).mtime })
      last = place.join('/')
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }
  return { files, next: undefined }
}
