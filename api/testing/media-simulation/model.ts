import { createHash } from 'node:crypto'

/** What an artist sent, and what the product may say about it. The rules are those of docs/product/media.md. */

export type SentFile = { name: string; type: string; bytes: Buffer; sha: string; isValid: boolean }

/** `maybe`: it may be deleted, since the answer to the request was lost. */
type Existence = 'here' | 'maybe' | 'gone'

export type Item = {
  id: string
  file: SentFile
  existence: Existence
}

/** A way in which a file was sent. Each makes at most one item of each file; without protection each time it was sent. */
export type Attempt = { file: SentFile; mostItems: number; items: Set<string> }

export type Upload = {
  path: string
  id: string
  file: SentFile
  /** The offsets that the product may answer: acknowledged bytes are never lost. */
  acknowledged: number
  sent: number
  state: 'open' | 'maybe' | 'finished' | 'gone'
  createdAt: number
  /** Calls failed while a piece was stored. */
  isDisturbed: boolean
  mediaId: string | undefined
}

export type Fetch = {
  id: string
  file: SentFile
  state: 'fetching' | 'done' | 'failed'
  willFail: boolean
  createdAt: number
}

export type Post = { id: string; mediaIds: string[]; state: 'scheduled' | 'posted' | 'maybe' | 'gone' }
export type Draft = { id: string; mediaIds: string[]; state: 'here' | 'maybe' | 'gone' }

/** A public address, and of what. */
export type Address = { path: string; of: string; token?: string }

export type Library = {
  items: Map<string, Item>
  attempts: Map<string, Attempt>
  uploads: Upload[]
  fetches: Fetch[]
  posts: Post[]
  drafts: Draft[]
  /** Media ids in the gallery; `maybe`: unknown. */
  gallery: Map<string, Existence>
  addresses: Address[]
  /** Pictures for the site, and when each was sent. */
  siteImages: { url: string; sentAt: number }[]
  /** The names of the files of each form. */
  forms: string[][]
}

export const emptyLibrary = (): Library => ({
  items: new Map(),
  attempts: new Map(),
  uploads: [],
  fetches: [],
  posts: [],
  drafts: [],
  gallery: new Map(),
  addresses: [],
  siteImages: [],
  forms: [],
})

export const shaOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export const hour = 3_600_000
export const uploadHours = 24

/** Media that a post needs that is not published yet. */
export const neededBy = ({ posts }: Library, state: Post['state'] = 'scheduled'): Set<string> =>
  new Set(posts.filter((one) => one.state === state).flatMap((one) => one.mediaIds))

/** Sets what is known of items after a deletion was answered; undefined: no answer arrived. */
export function deleted(library: Library, ids: readonly string[], isDone: boolean | undefined): void {
  if (isDone === false) return
  for (const id of ids) {
    const item = library.items.get(id)
    if (!item || item.existence === 'gone') continue
    item.existence = isDone ? 'gone' : 'maybe'
    if (library.gallery.has(id)) library.gallery.set(id, isDone ? 'gone' : 'maybe')
  }
}

/** A picture for the site that no site uses is kept for a week. */
export const unusedDays = 7
