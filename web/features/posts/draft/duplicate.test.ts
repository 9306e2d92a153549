import type { PostVariant } from '@flashsheet/contracts/posts/schema'
import { describe, expect, test } from 'vitest'
import { duplicateDraft, hasUnsentWork } from './duplicate.ts'
import { libraryPicture } from '../../media/media-fixture.ts'
import { scheduledPost, scheduledVariant } from '../parts/post-fixture.ts'
import { newDraft } from './draft.ts'

const variant = (change: Partial<PostVariant> = {}) => scheduledVariant({ message: 'Fresh flash', ...change })
const post = (variants: PostVariant[]) => scheduledPost({ mediaIds: ['a', 'b'], variants })

describe('a duplicate', () => {
  test('is a new draft with the same media, captions and pages, opened at the captions', () => {
    const draft = duplicateDraft(
      post([variant(), variant({ platform: 'linkedin', socialAccountId: 'other', pageId: 'q', pageName: 'Ink Co' })]),
      [libraryPicture('b'), libraryPicture('a')],
      'new',
    )
    expect(draft).toMatchObject({
      id: 'new',
      step: 3,
      isGlobal: true,
      global: { caption: 'Fresh flash' },
      scheduledAt: [],
      requestIds: {},
      sent: [],
    })
    expect(draft.media.map((one) => one.mediaId)).toEqual(['a', 'b'])
    expect(draft.pages).toEqual([
      { platform: 'facebook', socialAccountId: 'account', pageId: 'page', name: 'Black Quill' },
      { platform: 'linkedin', socialAccountId: 'other', pageId: 'q', name: 'Ink Co' },
    ])
  })

  test('keeps individual captions and the options of YouTube', () => {
    const youtube = { privacyStatus: 'unlisted', madeForKids: false } as const
    const draft = duplicateDraft(
      post([variant(), variant({ platform: 'youtube', pageId: 'y', title: 'T', options: { youtube } })]),
      [libraryPicture('a')],
      'new',
    )
    expect(draft.isGlobal).toBe(false)
    expect(draft.individual['account:y']).toEqual({ title: 'T', caption: 'Fresh flash' })
    expect(draft.youtube).toEqual({ 'account:y': youtube })
  })

  test('keeps captions of pages with the same title', () => {
    const draft = duplicateDraft(
      post([variant({ title: 'T' }), variant({ pageId: 'q', title: 'T', message: 'For Ink Co' })]),
      [libraryPicture('a')],
      'new',
    )
    expect(draft.isGlobal).toBe(false)
    expect(Object.values(draft.individual).map(({ caption }) => caption)).toEqual(['Fresh flash', 'For Ink Co'])
  })

  test('crops the pictures that were cropped, and no others', () => {
    const crops = [null, { x: 0, y: 0, width: 1, height: 0.9 }]
    const source = post([variant(), variant({ platform: 'instagram', pageId: 'i', crops })])
    expect(duplicateDraft(source, [libraryPicture('a')], 'new').framing).toEqual({
      a: { isCropped: false, focus: 0.5 },
      b: { isCropped: true, focus: 0 },
    })
  })

  test('keeps the choice to add pictures to the website, unless they were added already', () => {
    expect(duplicateDraft({ ...post([variant()]), toGallery: true }, [libraryPicture('a')], 'new').toGallery).toBe(true)
    expect(duplicateDraft(post([variant()]), [libraryPicture('a')], 'new').toGallery).toBe(false)
  })

  test("leaves out TikTok's options, which must be chosen for each post", () => {
    const tiktok = {
      privacyLevel: 'PUBLIC_TO_EVERYONE',
      allowComment: true,
      allowDuet: false,
      allowStitch: false,
      yourBrand: false,
      brandedContent: false,
    } as const
    expect(
      duplicateDraft(post([variant({ platform: 'tiktok', options: { tiktok } })]), [libraryPicture('a')], 'new').tiktok,
    ).toEqual({})
  })

  test('opens at the first step with something missing', () => {
    expect(duplicateDraft(post([variant()]), [], 'new')).toMatchObject({ step: 1, media: [] })
    expect(duplicateDraft(post([variant({ socialAccountId: null })]), [libraryPicture('a')], 'new')).toMatchObject({
      step: 2,
      pages: [],
    })
  })
})

test('recognises a draft with unsent work', () => {
  const empty = newDraft('d')
  expect(hasUnsentWork(empty)).toBe(false)
  expect(hasUnsentWork({ ...empty, global: { title: '', caption: 'Half a sen' } })).toBe(true)
  expect(hasUnsentWork({ ...empty, individual: { 'account:page': { title: 'Half', caption: '' } } })).toBe(true)
  expect(
    hasUnsentWork({ ...empty, global: { title: '', caption: 'Sent' }, sent: [{ scheduledAt: 'now', postId: 'p' }] }),
  ).toBe(false)
})
