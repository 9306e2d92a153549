import type { VideoProperties } from '@flashsheet/contracts/video'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { PostVariantInput } from '@flashsheet/contracts/posts/schema'
import type { TargetPhase } from '@flashsheet/contracts/posts/limits'
import { AppError } from '../../../core/errors.ts'
import { describe, expect, test } from 'vitest'
import { ownOptions, refuseMedia, refusePages, refuseTime, requestText, type Kind, type OwnPage } from './compose.ts'
import { isUntouched, postErrorMessage, postStatus } from './status.ts'

const account = '018f0000-0000-7000-8000-000000000001'
const variant = (platform: PostVariantInput['platform'], pageId: string): PostVariantInput => ({
  platform,
  socialAccountId: account,
  pageId,
  title: '',
  message: '',
})
const page = (platform: PostVariantInput['platform'], pageId: string): OwnPage => ({
  platform,
  accountId: account,
  pageId,
  name: pageId,
})

/** The fields that a check refuses, with their messages. */
function refusalOf(check: () => void): unknown {
  try {
    return check()
  } catch (error) {
    return error instanceof AppError && error.fields
  }
}

describe('media of a post', () => {
  test.each([
    [[], postMessages.mediaRequired],
    [['image', 'video'], postMessages.mixedMedia],
    [['video', 'video'], postMessages.oneVideo],
    [Array<Kind>(11).fill('image'), postMessages.tooManyImages],
  ] as [Kind[], string][])('%j is refused', (kinds, message) => {
    expect(refusalOf(() => refuseMedia(kinds))).toEqual({ mediaIds: message })
  })

  test.each([[['video']], [['image']], [Array<Kind>(10).fill('image')]] as [Kind[]][])('%j passes', (kinds) => {
    expect(refusalOf(() => refuseMedia(kinds))).toBeUndefined()
  })
})

describe('pages of a post', () => {
  const own = [page('facebook', 'a'), page('tiktok', 't'), page('youtube', 'y')]
  const video: VideoProperties = {
    bytes: 9_000_000,
    seconds: 20,
    width: 1080,
    height: 1920,
    mimeType: 'video/mp4',
    codec: 'avc',
    audioCodec: 'aac',
    fps: 30,
  }
  test.each([
    ['none', [], 'image', postMessages.pageRequired],
    ['an unknown page', [variant('facebook', 'b')], 'image', postMessages.pageUnknown],
    ['a page under another network', [variant('linkedin', 'a')], 'image', postMessages.pageUnknown],
    [
      "a page of somebody else's account",
      [{ ...variant('facebook', 'a'), socialAccountId: '018f0000-0000-7000-8000-000000000002' }],
      'image',
      postMessages.pageUnknown,
    ],
    ['a page twice', [variant('facebook', 'a'), variant('facebook', 'a')], 'image', postMessages.pageTwice],
    ['an image for TikTok', [variant('tiktok', 't')], 'image', postMessages.videoOnly],
    ['an image for YouTube', [variant('facebook', 'a'), variant('youtube', 'y')], 'image', postMessages.videoOnly],
  ] as [string, PostVariantInput[], Kind, string][])('%s is refused', (_name, variants, kind, message) => {
    expect(refusalOf(() => refusePages(variants, own, [kind], undefined))).toEqual({ variants: message })
  })

  test('a video is accepted by every network', () => {
    const variants = [variant('facebook', 'a'), variant('tiktok', 't'), variant('youtube', 'y')]
    expect(refusalOf(() => refusePages(variants, own, ['video'], video))).toBeUndefined()
  })

  test('refuses a video that one of the networks would refuse', () => {
    const variants = [variant('youtube', 'y'), variant('tiktok', 't')]
    const message = 'TikTok takes 23 to 60 frames a second, this video has 10.'
    const slow = { ...video, fps: 10 }
    expect(refusalOf(() => refusePages(variants, own, ['video'], slow))).toEqual({ variants: message })
    expect(refusalOf(() => refusePages(variants.slice(0, 1), own, ['video'], slow))).toBeUndefined()
  })

  test('options of other networks are dropped, and YouTube has its defaults', () => {
    const youtube = { privacyStatus: 'private' as const, madeForKids: true }
    expect(ownOptions('facebook', { youtube })).toEqual({})
    expect(ownOptions('tiktok', undefined)).toEqual({})
    expect(ownOptions('youtube', undefined)).toEqual({ youtube: { privacyStatus: 'public', madeForKids: false } })
    expect(ownOptions('youtube', { youtube })).toEqual({ youtube })
  })
})

test('a time may be up to a minute in the past', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  expect(refusalOf(() => refuseTime(new Date('2026-11-21T11:59:00Z'), now))).toBeUndefined()
  expect(refusalOf(() => refuseTime(new Date('2026-11-21T11:58:59.999Z'), now))).toEqual({
    scheduledAt: postMessages.schedulePast,
  })
})

test('a request differs by media, text, options and time, but not by how the time is written', () => {
  const asked = { mediaIds: ['m'], variants: [variant('facebook', 'a')], scheduledAt: '2026-11-21T12:00:00Z' }
  const same = requestText({ ...asked, scheduledAt: '2026-11-21T13:00:00+01:00' })
  expect(requestText(asked)).toBe(same)
  const others = [
    { ...asked, mediaIds: ['n'] },
    { ...asked, variants: [{ ...variant('facebook', 'a'), message: 'x' }] },
    { ...asked, variants: [{ ...variant('facebook', 'a'), title: 'x' }] },
    { ...asked, scheduledAt: '2026-11-21T12:00:01Z' },
    { ...asked, scheduledAt: undefined },
  ]
  for (const other of others) expect(requestText(other)).not.toBe(same)
})

describe('status', () => {
  test.each([
    [['posted', 'posted'], 'posted'],
    [['posted', 'failed'], 'failed'],
    [['failed', 'confirming'], 'scheduled'],
    [['posted', 'unknown'], 'scheduled'],
    [['scheduled'], 'scheduled'],
  ] as [TargetPhase[], string][])('%j is %s', (phases, status) => {
    expect(postStatus(phases)).toBe(status)
  })

  test('names each failed page with its reason', () => {
    const target = (phase: TargetPhase, errorMessage: string | null) => ({
      phase,
      platform: 'facebook' as const,
      pageName: 'Salt & Ember',
      errorMessage,
    })
    expect(postErrorMessage([target('posted', null)])).toBeNull()
    expect(postErrorMessage([target('failed', 'Too dark.'), target('posted', null), target('failed', null)])).toBe(
      `Salt & Ember (Facebook): Too dark.\nSalt & Ember (Facebook): ${postMessages.failedFallback}`,
    )
  })

  test('a claimed target counts as begun', () => {
    expect(isUntouched({ phase: 'scheduled', leaseToken: null })).toBe(true)
    expect(isUntouched({ phase: 'scheduled', leaseToken: 'x' })).toBe(false)
    expect(isUntouched({ phase: 'preparing', leaseToken: null })).toBe(false)
  })
})
