import type { Post, PostVariant } from '@flashsheet/contracts/posts/schema'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import { type Platform, platforms } from '@flashsheet/contracts/networks'
import { describe, expect, test } from 'vitest'
import { markSent } from '../draft/draft-request.ts'
import { addTime, newDraft, togglePage, type Draft } from '../draft/draft.ts'
import { scheduledPost, scheduledVariant } from './post-fixture.ts'
import { failedKeys, outcomeOf, pageStates, shownPost } from './outcome.ts'

const page = (platform: Platform) => ({ platform, socialAccountId: `${platform}-account`, pageId: 'p', name: platform })
const picked = (): Draft => platforms.reduce((draft, platform) => togglePage(draft, page(platform)), newDraft('d'))
const sent = () => markSent(picked(), 'now', 'post')

function post(status: (platform: Platform) => PostVariant['status'], change: Partial<PostVariant> = {}): Post {
  const variants = platforms.map((platform): PostVariant => {
    const is = status(platform)
    return scheduledVariant({
      _id: platform,
      platform,
      socialAccountId: `${platform}-account`,
      pageId: 'p',
      status: is,
      phase: is,
      errorMessage: is === 'failed' ? 'No.' : null,
      permalink: is === 'posted' ? 'https://x' : null,
      ...change,
    })
  })
  return scheduledPost({ variants })
}

describe('the outcome', () => {
  test('is unknown while a page is being published', () => {
    expect(
      outcomeOf(
        pageStates(
          sent(),
          post((platform) => (platform === 'tiktok' ? 'scheduled' : 'posted')),
        ),
      ),
    ).toBeNull()
    expect(outcomeOf(pageStates(sent(), undefined))).toBeNull()
    expect(outcomeOf(pageStates(picked(), undefined))).toBeNull()
  })

  test('each outcome of a send has its own message', () => {
    expect(
      outcomeOf(
        pageStates(
          sent(),
          post(() => 'posted'),
        ),
      ),
    ).toEqual({ tone: 'success', text: `Posted successfully to ${platforms.length} social(s).` })
    const mixed = pageStates(
      sent(),
      post((platform) => (platform === 'tiktok' ? 'failed' : 'posted')),
    )
    expect(outcomeOf(mixed)).toEqual({
      tone: 'warning',
      text: `Posted to ${platforms.length - 1} social(s), but failed on 1.`,
    })
    expect([...failedKeys(mixed)]).toEqual(['tiktok-account:p'])
    // A page that may have the post already is not retried.
    const unclear = post((platform) => (platform === 'tiktok' ? 'failed' : 'posted'), { mayBeThere: 'unclear' })
    expect([...failedKeys(pageStates(sent(), unclear))]).toEqual([])
    expect(
      outcomeOf(
        pageStates(
          sent(),
          post(() => 'failed'),
        ),
      ),
    ).toEqual({ tone: 'error', text: `Failed to post to all ${platforms.length} social(s).` })
  })
})

describe('the state of a page', () => {
  test('carries the reason or the link', () => {
    const states = pageStates(
      sent(),
      post((platform) => (platform === 'facebook' ? 'failed' : 'posted')),
    )
    expect(states[0]).toMatchObject({ status: 'failed', note: 'No.' })
    expect(states[1]).toMatchObject({ status: 'posted', permalink: 'https://x' })
  })

  test('is deleted once the whole post is, which is neither a failure nor to be tried again', () => {
    const states = pageStates(sent(), 'gone')
    expect(states.every(({ status }) => status === 'deleted')).toBe(true)
    expect([...failedKeys(states)]).toEqual([])
    expect(outcomeOf(states)).toEqual({ tone: 'warning', text: postMessages.deletedMeanwhile })
  })

  test('stays as it was shown when a post is deleted after its outcome', () => {
    const posted = post(() => 'posted')
    expect(shownPost(sent(), posted, 'gone')).toBe(posted)
    for (const before of [undefined, post(() => 'scheduled')]) expect(shownPost(sent(), before, 'gone')).toBe('gone')
    expect(shownPost(sent(), 'gone', posted)).toBe(posted)
  })

  test('is failed once its account is gone', () => {
    expect(pageStates(sent(), { ...post(() => 'posted'), variants: [] })[0]).toMatchObject({
      status: 'failed',
      note: 'The account was disconnected.',
    })
    expect(
      pageStates(
        sent(),
        post(() => 'posted', { socialAccountId: null }),
      ).every((state) => state.status === 'posted'),
    ).toBe(true)
  })

  test('has the progress of the upload', () => {
    const [facebook] = pageStates(
      sent(),
      post(() => 'scheduled', { phase: 'preparing', progress: 40 }),
    )
    expect(facebook).toMatchObject({ status: 'posting', progress: 40, note: 'Uploading to Facebook, 40%' })
    const [sentWhole] = pageStates(
      sent(),
      post(() => 'scheduled', { phase: 'preparing', progress: 100 }),
    )
    expect(sentWhole).toMatchObject({ progress: null, note: 'Facebook is processing it' })
  })

  test('is scheduled once the server accepted every time', () => {
    const draft = addTime(addTime(picked(), '2027-01-01T00:00:00Z'), '2027-01-02T00:00:00Z')
    const half = markSent(draft, '2027-01-01T00:00:00Z', 'a')
    expect(pageStates(half, undefined).every((state) => state.status === 'ready')).toBe(true)
    expect(
      pageStates(markSent(half, '2027-01-02T00:00:00Z', 'b'), undefined).every((state) => state.status === 'scheduled'),
    ).toBe(true)
  })
})
