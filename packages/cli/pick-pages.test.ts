import { expect, test } from 'vitest'
import { pickPages } from './pick-pages.ts'

const account = (platform: 'youtube' | 'facebook', _id: string, pages: [pageId: string, name: string][]) =>
  ({ _id, platform, pages: pages.map(([pageId, name]) => ({ pageId, name })) }) as Parameters<
    typeof pickPages
  >[0][number]
const accounts = [
  account('youtube', 'a', [['UCx_Ab', 'Ink Films']]),
  account('facebook', 'b', [
    ['1', 'Black Quill'],
    ['2', 'Black Quill'],
    ['3', 'Quill: Shop'],
  ]),
]

test.each([
  ['a network with several pages', 'facebook', 'could be several: facebook:Black Quill, facebook:Black Quill'],
  ['a name that two pages have', 'facebook:black quill', 'could be several'],
  ['a page of another network', 'youtube:3', 'Nothing connected is called youtube:3.'],
  ['an id in other letters', 'youtube:ucx_ab', 'Nothing connected is called youtube:ucx_ab.'],
  ['a page that is named twice', 'facebook:2,youtube,Facebook:2', 'A page was picked twice.'],
  ['a page that is not connected', 'youtube, facebook:4', 'Nothing connected is called facebook:4.'],
])('refuses %s', (_what, to, message) => {
  expect(() => pickPages(accounts, to)).toThrow(message)
})

test.each([
  ['its network, if that has no other', 'YouTube', ['UCx_Ab']],
  ['its id', 'youtube:UCx_Ab, facebook:2', ['UCx_Ab', '2']],
  ['its name, in capitals or not', 'youtube:INK films, facebook:quill: shop', ['UCx_Ab', '3']],
])('finds a page by %s', (_what, to, ids) => {
  expect(pickPages(accounts, to).map(({ pageId }) => pageId)).toEqual(ids)
})
