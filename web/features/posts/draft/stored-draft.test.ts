import { describe, expect, test } from 'vitest'
import { libraryPicture } from '../../media/media-fixture.ts'
import { setCaption } from './draft.ts'
import { contentText, isUnsaved, openStored } from './stored-draft.ts'

describe('a stored draft that is opened', () => {
  const now = Date.parse('2026-11-23T12:00:00Z')
  const stored = {
    _id: 'stored',
    version: 3,
    title: 'Moths',
    mediaIds: ['a', 'gone'],
    variants: [
      {
        platform: 'facebook' as const,
        socialAccountId: 'account',
        pageId: 'page',
        title: '',
        message: 'Mine',
        options: {},
      },
      { platform: 'linkedin' as const, socialAccountId: 'left', pageId: 'q', title: '', message: 'Gone', options: {} },
    ],
    scheduledAt: '2026-11-24T12:00:00.000Z',
    createdAt: '',
    updatedAt: '',
  }
  const pages = [{ platform: 'facebook' as const, socialAccountId: 'account', pageId: 'page', name: 'Black Quill' }]

  test('has its captions, the media and pages that still exist, and its time unless that has passed', () => {
    const draft = openStored(stored, [libraryPicture('a')], pages, 'new', now)
    expect(draft).toMatchObject({
      id: 'new',
      stored: { id: 'stored', version: 3, tried: null },
      step: 3,
      pages,
      global: { title: '', caption: 'Mine' },
      scheduledAt: [stored.scheduledAt],
    })
    expect(draft.media.map(({ _id }) => _id)).toEqual(['a'])
    expect(openStored(stored, [], pages, 'new', now + 2 * 86_400_000)).toMatchObject({ scheduledAt: [], step: 1 })
  })

  test('keeps its captions when no page is left', () => {
    const draft = openStored(stored, [libraryPicture('a')], [], 'new', now)
    expect(draft).toMatchObject({ pages: [], step: 2, global: { title: 'Moths', caption: 'Mine' } })
  })

  test('is unchanged after opening, even if parts of it were left out', () => {
    const draft = openStored(stored, [libraryPicture('a')], pages, 'new', now)
    expect(isUnsaved(draft)).toBe(false)
    expect(isUnsaved(setCaption(draft, null, { caption: 'Other words' }))).toBe(true)
  })

  test('has the same content text in any order of object members', () => {
    const [first] = stored.variants
    const turned = Object.fromEntries(Object.entries(first ?? {}).toReversed()) as typeof first
    expect(contentText({ ...stored, variants: turned ? [turned] : [] })).toBe(
      contentText({ ...stored, variants: first ? [first] : [] }),
    )
  })
})
