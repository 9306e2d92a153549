import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { expect, test } from 'vitest'
import { libraryPicture } from './media-fixture.ts'
import { filterLibrary, type LibraryFilter } from './library-filter.ts'

const item = (name: string, type: MediaItem['type'] = 'image') => libraryPicture(name, { name, type })
const items = [item('Snake and Dagger.jpg'), item('Pfingstrose für Jürgen.png'), item('snake reel.mp4', 'video')]
const names = (filter: Partial<LibraryFilter>, planned: readonly string[] = []) =>
  filterLibrary(items, { show: 'all', search: '', ...filter }, (id) => planned.includes(id)).map(({ name }) => name)

test('a search finds names with all of its words, in any order and case, with or without accents', () => {
  expect(names({ search: ' ' })).toHaveLength(3)
  expect(names({ search: 'dagger SNAKE' })).toEqual(['Snake and Dagger.jpg'])
  expect(names({ search: 'jurgen' })).toEqual(['Pfingstrose für Jürgen.png'])
  expect(names({ search: 'fu\u0308r' })).toEqual(['Pfingstrose für Jürgen.png'])
  expect(names({ search: 'rose dagger' })).toEqual([])
})

test('filters by kind, and by whether a scheduled or posted post uses an item', () => {
  expect(names({ show: 'photo' })).toHaveLength(2)
  expect(names({ show: 'video' })).toEqual(['snake reel.mp4'])
  expect(names({ show: 'unposted' }, ['snake reel.mp4'])).toEqual([
    'Snake and Dagger.jpg',
    'Pfingstrose für Jürgen.png',
  ])
  expect(names({ show: 'unposted', search: 'snake' }, ['snake reel.mp4'])).toEqual(['Snake and Dagger.jpg'])
})
