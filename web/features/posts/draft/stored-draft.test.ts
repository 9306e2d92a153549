import { describe, expect, test } from 'vitest'
import { libraryPicture } from '../../media/media-fixture.ts'
import { hasRequests } from './draft-request.ts'
import { newDraft, pageKey, setCaption, setTiktok } from './draft.ts'
import { contentOf, contentText, detachFromStored, isUnsaved, openStored, storedState } from './stored-draft.ts'

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

  test('is unsaved while a file has not arrived, and no longer once it was sent', () => {
    const draft = openStored(stored, [libraryPicture('a')], pages, 'new', now)
    const [picture] = draft.media
    const uploading = { ...draft, media: [...draft.media, { ...picture!, _id: 'local', mediaId: null }] }
    expect(isUnsaved(uploading)).toBe(true)
    expect(isUnsaved({ ...uploading, sent: [{ scheduledAt: 'now', postId: 'p' }] })).toBe(false)
  })

  test('that becomes a separate draft makes requests of its own', () => {
    const draft = openStored(stored, [libraryPicture('a')], pages, 'new', now)
    const requested = { ...draft, requestIds: { now: 'draft:stored' } }
    expect(detachFromStored(requested, 'other')).toMatchObject({ id: 'other', stored: null, media: draft.media })
    expect(hasRequests(detachFromStored(requested, 'other'))).toBe(false)
  })

  test('was not changed elsewhere if its own post may have deleted it, or an older version is read', () => {
    const draft = openStored(stored, [libraryPicture('a')], pages, 'new', now)
    const theirs = { ...stored, title: 'Theirs', variants: [] }
    expect([storedState(draft, 'gone'), storedState(draft, { ...theirs, version: 4 })]).toEqual(['gone', 'changed'])
    expect(storedState(draft, { ...theirs, version: 3 })).toBe('same')
    expect(storedState({ ...draft, requestIds: { now: 'draft:stored' } }, 'gone')).toBe('same')
    expect(storedState({ ...draft, sent: [{ scheduledAt: 'now', postId: 'p' }] }, 'gone')).toBe('same')
  })

  test('is titled by the first page that has a title', () => {
    const draft = openStored(stored, [libraryPicture('a')], pages, 'new', now)
    const [page] = pages
    const both = {
      ...draft,
      pages: [page!, { ...page!, pageId: 'other' }],
      isGlobal: false,
      individual: { 'account:other': { title: 'Koi', caption: '' } },
    }
    expect(contentOf(both).title).toBe('Koi')
  })

  test('has the same content text in any order of object members', () => {
    const [facebook] = stored.variants
    const crop = { x: 0, y: 0.1, width: 1, height: 0.8 }
    const options = { youtube: { privacyStatus: 'public' as const, madeForKids: false } }
    const variant = { ...facebook!, options, crops: [crop] }
    const turn = <T extends object>(value: T) => Object.fromEntries(Object.entries(value).toReversed()) as T
    const turned = turn({ ...variant, crops: [turn(crop)], options: { youtube: turn(options.youtube) } })
    expect(contentText({ ...stored, variants: [turned] })).toBe(contentText({ ...stored, variants: [variant] }))
  })
})

test('the choices for TikTok are stored once they are complete', () => {
  const tiktok = { platform: 'tiktok' as const, socialAccountId: 'account', pageId: 'page', name: 'Quill' }
  const draft = { ...newDraft('d'), pages: [tiktok] }
  expect(contentOf(draft).variants[0]?.options).toEqual({})
  const chosen = setTiktok(draft, pageKey(tiktok), { privacyLevel: 'SELF_ONLY' })
  expect(contentOf(chosen).variants).toMatchObject([{ options: { tiktok: { privacyLevel: 'SELF_ONLY' } } }])
})
