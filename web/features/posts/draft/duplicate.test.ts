import type { MediaItem } from '@flashsheet/contracts/media/schema'
import type { Post, PostVariant } from '@flashsheet/contracts/posts/schema'
import { describe, expect, test } from 'vitest'
import { duplicateDraft, hasUnsentWork } from './duplicate.ts'
import { newDraft } from './draft.ts'

const item = (id: string): MediaItem => ({
  _id: id,
  type: 'image',
  url: `/files/${id}`,
  thumbnailUrl: `/thumbs/${id}`,
  fileName: `${id}.jpg`,
  name: `${id}.jpg`,
  mimeType: 'image/jpeg',
  size: 10,
  createdAt: '2026-11-01T00:00:00.000Z',
  dimensions: { width: 800, height: 1000 },
  duration: null,
  encoding: null,
})
const variant = (change: Partial<PostVariant> = {}): PostVariant => ({
  _id: 'v',
  platform: 'facebook',
  postId: 'post',
  socialAccountId: 'account',
  pageId: 'page',
  pageName: 'Black Quill',
  title: '',
  message: 'Fresh flash',
  options: {},
  status: 'failed',
  phase: 'failed',
  progress: null,
  errorMessage: 'No.',
  nextTryAt: null,
  mayBeThere: null,
  pageUrl: null,
  permalink: null,
  ...change,
})
const post = (variants: PostVariant[], mediaIds = ['a', 'b']): Post => ({
  _id: 'post',
  status: 'failed',
  scheduledAt: '',
  updatedAt: '',
  errorMessage: null,
  mediaIds,
  media: [],
  variants,
})

describe('a duplicate', () => {
  test('is a new draft with the same media, captions and pages, opened at the captions', () => {
    const draft = duplicateDraft(
      post([variant(), variant({ platform: 'linkedin', socialAccountId: 'other', pageId: 'q', pageName: 'Ink Co' })]),
      [item('b'), item('a')],
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
      [item('a')],
      'new',
    )
    expect(draft.isGlobal).toBe(false)
    expect(draft.individual['account:y']).toEqual({ title: 'T', caption: 'Fresh flash' })
    expect(draft.youtube).toEqual({ 'account:y': youtube })
  })

  test('keeps the choice to add pictures to the website, unless they were added already', () => {
    expect(duplicateDraft({ ...post([variant()]), toGallery: true }, [item('a')], 'new').toGallery).toBe(true)
    expect(duplicateDraft(post([variant()]), [item('a')], 'new').toGallery).toBe(false)
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
      duplicateDraft(post([variant({ platform: 'tiktok', options: { tiktok } })]), [item('a')], 'new').tiktok,
    ).toEqual({})
  })

  test('opens at the first step with something missing', () => {
    expect(duplicateDraft(post([variant()]), [], 'new')).toMatchObject({ step: 1, media: [] })
    expect(duplicateDraft(post([variant({ socialAccountId: null })]), [item('a')], 'new')).toMatchObject({
      step: 2,
      pages: [],
    })
  })
})

test('recognises a draft with unsent work', () => {
  const empty = newDraft('d')
  expect(hasUnsentWork(empty)).toBe(false)
  expect(hasUnsentWork({ ...empty, global: { title: '', caption: 'Half a sen' } })).toBe(true)
  expect(
    hasUnsentWork({ ...empty, global: { title: '', caption: 'Sent' }, sent: [{ scheduledAt: 'now', postId: 'p' }] }),
  ).toBe(false)
})
