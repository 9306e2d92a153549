import type { MediaItem } from '@flashsheet/contracts/media/schema'

/** All items, one kind, or those that no scheduled or posted post uses. */
export const libraryShows = ['all', 'photo', 'video', 'unposted'] as const
export type LibraryShow = (typeof libraryShows)[number]
export type LibraryFilter = { show: LibraryShow; search: string }

/** Items of the kind to show whose name contains each word of the search, in any case, with or without accents. */
export function filterLibrary(
  items: readonly MediaItem[],
  { show, search }: LibraryFilter,
  isPlanned: (id: string) => boolean,
): MediaItem[] {
  const words = plain(search).split(/\s+/).filter(Boolean)
  return items.filter(
    (item) =>
      (show === 'all' ||
        (show === 'unposted' ? !isPlanned(item._id) : (item.type === 'video') === (show === 'video'))) &&
      words.every((word) => plain(item.name).includes(word)),
  )
}

function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
}
