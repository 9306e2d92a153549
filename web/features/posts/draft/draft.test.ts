import { postLimits } from '@flashsheet/contracts/posts/limits'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { TiktokCreatorInfo } from '@flashsheet/contracts/social/schema'
import { describe, expect, test } from 'vitest'
import { libraryPicture } from '../../media/media-fixture.ts'
import { creator } from '../../social/account-fixture.ts'
import { restoreDraft } from './restore-draft.ts'
import { firstIncompleteStep, reachableStep, incompleteReason, type DraftEnvironment } from './draft-completeness.ts'
import { requestIdFor, variantsOf } from './draft-request.ts'
import {
  addMedia,
  addTime,
  chooseMode,
  chooseTab,
  goTo,
  hasBrandedContent,
  linkUploadedMedia,
  pageRefusal,
  newDraft,
  pageKey,
  removeMedia,
  restoreIndividual,
  setCaption,
  setGlobal,
  setTiktok,
  togglePage,
  type Draft,
  type SelectedMedia,
  type SelectedPage,
} from './draft.ts'

const image = (n: number): SelectedMedia => ({
  _id: `i${n}`,
  mediaId: `m${n}`,
  name: `${n}.jpg`,
  type: 'image',
  preview: null,
  url: null,
  size: 1,
  isLocal: false,
  duration: null,
  dimensions: null,
  encoding: null,
})
const video = (n: number): SelectedMedia => ({ ...image(n), _id: `v${n}`, type: 'video' })
const page = (platform: SelectedPage['platform'], pageId = 'p'): SelectedPage => ({
  platform,
  socialAccountId: `${platform}-account`,
  pageId,
  name: platform,
})
const quiet: DraftEnvironment = { unavailableIds: new Set(), creators: new Map() }
const withMedia = (draft: Draft, ...items: SelectedMedia[]) => addMedia(draft, items).draft

describe('picking media', () => {
  test('adds an item that is picked twice once', () => {
    const draft = withMedia({ ...newDraft('d'), tab: 'library' }, image(1), image(2), image(1))
    expect(draft.media.map(({ _id }) => _id)).toEqual(['i1', 'i2'])
    expect(addMedia(draft, [image(2)])).toEqual({ draft, message: null })
  })

  test('links a file that has arrived once, and not one that was removed', () => {
    const local = { ...image(1), mediaId: null, isLocal: true }
    const draft = withMedia(newDraft('d'), local, image(2))
    const linked = linkUploadedMedia(draft, 'i1', libraryPicture('arrived'))
    expect(linked.media.map(({ _id, mediaId, isLocal }) => [_id, mediaId, isLocal])).toEqual([
      ['i1', 'arrived', true],
      ['i2', 'm2', false],
    ])
    expect(linkUploadedMedia(linked, 'i1', libraryPicture('again'))).toBe(linked)
    const removed = removeMedia(draft, 'i1')
    expect(linkUploadedMedia(removed, 'i1', libraryPicture('arrived'))).toBe(removed)
  })

  test('refuses an eleventh image with a message', () => {
    const ten = withMedia(
      chooseMode(newDraft('d'), 'multiple-images'),
      ...Array.from({ length: 10 }, (_, n) => image(n)),
    )
    const { draft, message } = addMedia(ten, [image(99)])
    expect(message).toBe(postMessages.tooManyImages)
    expect(draft.media).toHaveLength(10)
  })

  test('never mixes images and videos', () => {
    const { draft, message } = addMedia(withMedia(newDraft('d'), image(1)), [video(1)])
    expect(message).toBe(postMessages.mixedMedia)
    expect(draft.media.map((item) => item._id)).toEqual(['i1'])
    expect(addMedia(withMedia(newDraft('d'), video(1)), [image(1)]).message).toBe(postMessages.mixedMedia)
    expect(addMedia(withMedia(newDraft('d'), video(1)), [video(2)]).message).toBe(postMessages.oneVideo)
  })

  test('a picked picture that turns out to be a video after its upload blocks step 1 beside others', () => {
    const local = { ...image(2), mediaId: null, isLocal: true }
    const draft = linkUploadedMedia(withMedia(newDraft('d'), image(1), local), 'i2', {
      ...libraryPicture('arrived'),
      type: 'video',
    })
    expect(incompleteReason(draft, 1, quiet)).toBe(postMessages.mixedMedia)
    expect(incompleteReason(removeMedia(draft, 'i1'), 1, quiet)).toBeNull()
  })

  test('the chosen card limits uploads, not picks from the library', () => {
    const single = chooseMode(newDraft('d'), 'single-image')
    expect(addMedia(single, [video(1)])).toMatchObject({ message: mediaMessages.imageType, draft: { media: [] } })
    expect(addMedia(chooseMode(single, 'video'), [image(1)])).toMatchObject({
      message: mediaMessages.videoType,
      draft: { media: [] },
    })
    expect(withMedia(chooseTab(single, 'library'), image(1), image(2)).media).toHaveLength(2)
  })

  test('single image and video keep the newest pick only', () => {
    expect(
      withMedia(chooseMode(newDraft('d'), 'single-image'), image(1), image(2)).media.map((item) => item._id),
    ).toEqual(['i2'])
    expect(withMedia(chooseMode(newDraft('d'), 'video'), video(1), video(2)).media.map((item) => item._id)).toEqual([
      'v2',
    ])
  })

  test('another tab or card clears the selection', () => {
    const draft = withMedia(chooseMode(newDraft('d'), 'multiple-images'), image(1))
    expect(chooseTab(draft, 'library').media).toEqual([])
    expect(chooseMode(draft, 'single-image').media).toEqual([])
    expect(chooseMode(draft, 'multiple-images').media).toHaveLength(1)
  })
})

describe('picking pages', () => {
  test('images deselect TikTok and YouTube pages', () => {
    let draft = withMedia(newDraft('d'), video(1))
    for (const platform of ['tiktok', 'youtube', 'facebook'] as const) draft = togglePage(draft, page(platform))
    expect(draft.pages).toHaveLength(3)
    const images = withMedia(removeMedia(draft, 'v1'), image(1))
    expect(images.pages.map((one) => one.platform)).toEqual(['facebook'])
    expect(pageRefusal(images, 'tiktok')).toBe(socialMessages.videoOnly)
    expect(togglePage(images, page('youtube')).pages).toHaveLength(1)
  })

  test('a video that a network refuses deselects its pages and blocks them with a reason', () => {
    const slow = { ...video(2), duration: 20, size: 9_000_000, encoding: { codec: 'avc', audioCodec: 'aac', fps: 12 } }
    const before = togglePage(togglePage(withMedia(newDraft('d'), video(1)), page('instagram')), page('facebook'))
    expect(before.pages).toHaveLength(2)
    const after = withMedia(removeMedia(before, 'v1'), slow)
    expect(after.pages.map((one) => one.platform)).toEqual(['facebook'])
    expect(pageRefusal(after, 'instagram')).toMatch(/23 to 60 frames a second, this video has 12/)
    expect(togglePage(after, page('tiktok')).pages).toHaveLength(1)
    expect(pageRefusal(after, 'youtube')).toBeNull()
  })
})

describe('captions', () => {
  test('switching to individual captions copies the global one to every picked page', () => {
    let draft = togglePage(withMedia(newDraft('d'), image(1)), page('facebook'))
    draft = setGlobal(setCaption(draft, null, { title: 'T', caption: 'C' }), false)
    expect(draft.individual[pageKey(page('facebook'))]).toEqual({ title: 'T', caption: 'C' })
    draft = setCaption(draft, pageKey(page('facebook')), { caption: 'only here' })
    draft = togglePage(draft, page('instagram'))
    expect(variantsOf(draft).map((variant) => variant.message)).toEqual(['only here', 'C'])
  })

  test('switching to individual captions again can restore the overwritten ones', () => {
    let draft = togglePage(withMedia(newDraft('d'), image(1)), page('facebook'))
    draft = setCaption(setGlobal(draft, false), pageKey(page('facebook')), { caption: 'mine' })
    draft = setGlobal(setGlobal(draft, true), false)
    expect(variantsOf(draft)[0]?.message).toBe('')
    expect(variantsOf(restoreIndividual(draft))[0]?.message).toBe('mine')
    expect(setGlobal(setGlobal(newDraft('d'), false), true).replaced).toBeNull()
  })

  test('more pages than a post can go to are kept and block the step', () => {
    const pages = Array.from({ length: postLimits.variantsMax + 1 }, (_, n) => page('facebook', `page-${n}`))
    const draft = pages.reduce(togglePage, withMedia(newDraft('d'), image(1)))
    expect(incompleteReason(draft, 2, quiet)).toBe('Please pick up to 100 pages.')
    expect(incompleteReason(togglePage(draft, pages[0]!), 2, quiet)).toBeNull()
  })

  test('captions that are too long are kept and block the step', () => {
    let draft = togglePage(withMedia(newDraft('d'), image(1)), page('facebook'))
    expect(incompleteReason(setCaption(draft, null, { title: 'x'.repeat(postLimits.titleMax + 1) }), 3, quiet)).toBe(
      postMessages.titleTooLong,
    )
    draft = setCaption(draft, null, { caption: 'x'.repeat(postLimits.captionMax + 1) })
    expect(incompleteReason(draft, 3, quiet)).toBe(postMessages.captionTooLong)
    expect(draft.global.caption).toHaveLength(postLimits.captionMax + 1)
    expect(
      incompleteReason(
        setCaption(setGlobal(draft, false), pageKey(page('facebook')), { caption: 'x'.repeat(postLimits.captionMax) }),
        3,
        quiet,
      ),
    ).toBeNull()
  })
})

describe('TikTok', () => {
  const key = pageKey(page('tiktok'))
  const picked = () => togglePage(withMedia(newDraft('d'), { ...video(1), duration: 61 }), page('tiktok'))
  const answering = (change: Partial<TiktokCreatorInfo>): DraftEnvironment => ({
    ...quiet,
    creators: new Map([[key, { ...creator, ...change }]]),
  })

  test('blocks the step without a privacy level, and with private branded content', () => {
    let draft = goTo(picked(), 3)
    expect(incompleteReason(draft, 3, quiet)).toBe(postMessages.privacyRequired)
    draft = setTiktok(draft, key, { privacyLevel: 'SELF_ONLY', discloses: true })
    expect(incompleteReason(draft, 3, quiet)).toMatch(/yourself, a third party, or both/)
    draft = setTiktok(draft, key, { brandedContent: true })
    expect(incompleteReason(draft, 3, quiet)).toBe(postMessages.brandedPrivate)
    draft = setTiktok(draft, key, { privacyLevel: 'PUBLIC_TO_EVERYONE' })
    expect(incompleteReason(draft, 3, quiet)).toBeNull()
    expect(variantsOf(draft)[0]?.options?.tiktok).toMatchObject({
      privacyLevel: 'PUBLIC_TO_EVERYONE',
      brandedContent: true,
      allowComment: false,
    })
  })

  test('a level that is no longer offered must be chosen again', () => {
    const draft = setTiktok(picked(), key, { privacyLevel: 'FOLLOWER_OF_CREATOR' })
    expect(incompleteReason(draft, 3, quiet)).toBeNull()
    expect(incompleteReason(draft, 3, answering({}))).toBe(postMessages.privacyRequired)
  })

  test('reports a blocked creator and a video that is too long', () => {
    const draft = setTiktok(picked(), key, { privacyLevel: 'SELF_ONLY' })
    expect(incompleteReason(draft, 3, answering({ blocked: 'Not today.' }))).toBe('Not today.')
    expect(incompleteReason(draft, 3, answering({ maxVideoSeconds: 60 }))).toMatch(/1:01 long.*up to 1:00/)
    expect(incompleteReason(draft, 3, answering({ maxVideoSeconds: 61 }))).toBeNull()
    expect(firstIncompleteStep(draft, answering({ blocked: 'Not today.' }))?.step).toBe(3)
  })

  test('the boxes of a switched-off disclosure are not sent', () => {
    const draft = setTiktok(picked(), key, { privacyLevel: 'SELF_ONLY', yourBrand: true, brandedContent: true })
    expect(variantsOf(draft)[0]?.options?.tiktok).toMatchObject({ yourBrand: false, brandedContent: false })
    expect(hasBrandedContent(draft)).toBe(false)
  })

  test('branded content counts while its page is picked', () => {
    const draft = setTiktok(picked(), key, { discloses: true, brandedContent: true })
    expect(hasBrandedContent(draft)).toBe(true)
    expect(hasBrandedContent({ ...draft, pages: [] })).toBe(false)
  })
})

describe('times and request ids', () => {
  test('times are unique and sorted', () => {
    const draft = addTime(
      addTime(addTime(newDraft('d'), '2027-02-01T10:00:00Z'), '2027-01-01T10:00:00Z'),
      '2027-02-01T10:00:00Z',
    )
    expect(draft.scheduledAt).toEqual(['2027-01-01T10:00:00Z', '2027-02-01T10:00:00Z'])
  })

  test('one time keeps one request id', () => {
    const later = '2027-01-01T10:00:00Z'
    const first = requestIdFor(newDraft('d'), 'now', ['now', later])
    expect(requestIdFor(first.draft, 'now', ['now', later]).requestId).toBe(first.requestId)
    expect(requestIdFor(first.draft, later, ['now', later]).requestId).not.toBe(first.requestId)
    const sent = { ...newDraft('d'), requestIds: { now: 'sent by an earlier version' } }
    expect(requestIdFor(sent, 'now', ['now']).requestId).toBe('sent by an earlier version')
  })
})

test('opens a step that was reached before or follows complete ones, else the first incomplete step', () => {
  const begun = withMedia(newDraft('d'), image(1))
  expect([
    reachableStep(newDraft('d'), 4, quiet),
    reachableStep(begun, 4, quiet),
    reachableStep(begun, 0, quiet),
    reachableStep(begun, 9, quiet),
  ]).toEqual([1, 2, 1, 2])
  expect(reachableStep(togglePage(begun, page('facebook')), 9, quiet)).toBe(4)
  // Step 4 reports the gap itself.
  expect(reachableStep({ ...newDraft('d'), step: 4 }, 4, quiet)).toBe(4)
})

describe('a reload', () => {
  test('keeps the draft; a file that is neither in the library nor uploading blocks step 1', () => {
    const draft = withMedia(newDraft('d'), image(1), { ...image(2), mediaId: null, isLocal: true })
    const back = restoreDraft(JSON.stringify(draft))
    expect(back).toEqual(draft)
    expect(back && incompleteReason(back, 1, quiet)).toBeNull()
    expect(back && incompleteReason(back, 1, { ...quiet, unavailableIds: new Set(['i2']) })).toMatch(/did not arrive/)
    expect(restoreDraft('{"step": 9}')).toBeUndefined()
    expect(restoreDraft('not json')).toBeUndefined()
  })
})
