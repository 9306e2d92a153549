import { calendarPost } from '@flashsheet/contracts/posts/rules'
import type { CalendarPost, Post } from '@flashsheet/contracts/posts/schema'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { scheduledPost, scheduledVariant as variant } from '../parts/post-fixture.ts'
import { applyChange } from './calendar-change.ts'
import { countText, entriesByDay, displayState, timeOf } from '../../calendar/calendar-entry.ts'
import { entriesOf, entryOf, placeOf, postNouns, withEndangered } from './calendar-entries.ts'

const at = (hour: number, minute = 0) => new Date(2026, 10, 21, hour, minute).toISOString()

const post = (patch: Partial<Post> = {}): CalendarPost =>
  calendarPost(scheduledPost({ _id: 'p1', scheduledAt: at(9), updatedAt: at(14, 30), ...patch }))
afterEach(() => {
  vi.unstubAllEnvs()
})

const entryOfPost = (patch: Partial<Post>) => entryOf(post(patch))

describe('a post in the calendar', () => {
  test('is placed at its time while it is scheduled, afterwards at its last change', () => {
    expect(placeOf(post())).toBe(Date.parse(at(9)))
    expect(placeOf(post({ status: 'posted' }))).toBe(Date.parse(at(14, 30)))
    expect(placeOf(post({ status: 'failed' }))).toBe(Date.parse(at(14, 30)))
  })

  test("is named after the title of its first variant, otherwise its message, otherwise 'Untitled Post'", () => {
    const second = variant({ title: 'Second', message: 'Second' })
    expect(entryOfPost({ variants: [variant({ title: 'Dagger', message: 'One hour' }), second] }).title).toBe('Dagger')
    expect(entryOfPost({ variants: [variant({ message: 'One hour' }), second] }).title).toBe('One hour')
    expect(entryOfPost({ variants: [variant(), second] }).title).toBe('Untitled Post')
    expect(entryOfPost({ variants: [] }).title).toBe('Untitled Post')
  })

  test('names each network once', () => {
    expect(
      entryOfPost({ variants: [variant(), variant({ pageId: 'two' }), variant({ platform: 'linkedin' })] }).platforms,
    ).toEqual(['facebook', 'linkedin'])
  })

  test('follows a viewer who travels with an open page', () => {
    const shownIn = (timeZone: string, before: ReturnType<typeof entriesOf> = []) => {
      vi.stubEnv('TZ', timeZone)
      const entries = entriesOf([[post({ scheduledAt: '2026-11-22T01:00:00.000Z' })]], 0, Infinity, before)
      return { entries, shown: entries.map((entry) => [entry.day, timeOf(entry.at)]) }
    }
    const home = shownIn('America/New_York')
    expect(home.shown).toEqual([['2026-11-21', '8:00 PM']])
    expect(shownIn('Europe/Berlin', home.entries).shown).toEqual([['2026-11-22', '2:00 AM']])
  })

  test("has a day and a time in the viewer's time zone", () => {
    expect(entryOf(post()).day).toBe('2026-11-21')
    expect(timeOf(placeOf(post()))).toBe('9:00 AM')
  })
})

describe('the entries of a range', () => {
  const from = new Date(2026, 10, 21).getTime()
  const to = new Date(2026, 10, 22).getTime()

  test('are sorted by time, unique, and inside the range', () => {
    const late = post({ _id: 'late', scheduledAt: at(23, 59) })
    const early = post({ _id: 'early', scheduledAt: at(0) })
    const outside = post({ _id: 'outside', scheduledAt: new Date(to).toISOString() })
    const entries = entriesOf(
      [
        [late, outside],
        [early, late],
      ],
      from,
      to,
    )
    expect(entries.map((entry) => entry.id)).toEqual(['early', 'late'])
    expect([...entriesByDay(entries).keys()]).toEqual(['2026-11-21'])
  })

  test('keep their identity while they look the same, so they are not rendered again', () => {
    const first = entriesOf([[post(), post({ _id: 'p2' })]], from, to)
    const progress = post({ variants: [variant({ phase: 'preparing', progress: 40 })] })
    expect(entriesOf([[progress, post({ _id: 'p2' })]], from, to, first)).toBe(first)
    const moved = entriesOf([[post({ scheduledAt: at(18) }), post({ _id: 'p2' })]], from, to, first)
    expect(moved).not.toBe(first)
    expect(moved.map((entry) => entry.id)).toEqual(['p2', 'p1'])
    expect(moved[0]).toBe(first.find((entry) => entry.id === 'p2'))
  })

  test('are marked when they are scheduled for an account that must be reconnected', () => {
    const entries = entriesOf([[post(), post({ _id: 'p2' }), post({ _id: 'p3', status: 'failed' })]], from, to)
    expect(
      withEndangered(entries, new Set(['p2', 'p3', 'elsewhere'])).map((entry) => [entry.id, displayState(entry)]),
    ).toEqual([
      ['p1', 'scheduled'],
      ['p2', 'endangered'],
      ['p3', 'failed'],
    ])
    expect(withEndangered(entries, new Set(['p3']))).toBe(entries)
  })

  test('are counted with their noun', () => {
    expect([0, 1, 2].map((count) => countText(count, postNouns))).toEqual(['no posts', '1 post', '2 posts'])
  })
})

describe('a live update', () => {
  const range = { from: at(0), to: at(12) }
  const list = [post(), post({ _id: 'p2', scheduledAt: at(10) })]
  const ids = (posts: readonly CalendarPost[]) => posts.map((one) => one._id)

  test('moves a post into a list, out of it, or through it', () => {
    expect(ids(applyChange(list, range, { posts: [post({ _id: 'new', scheduledAt: at(11) })], gone: [] }))).toEqual([
      'new',
      'p1',
      'p2',
    ])
    expect(ids(applyChange(list, range, { posts: [post({ scheduledAt: at(15) })], gone: [] }))).toEqual(['p2'])
    const edited = applyChange(list, range, {
      posts: [post({ variants: [variant({ title: 'New words' })] })],
      gone: [],
    })
    expect(ids(edited)).toEqual(['p1', 'p2'])
    expect(edited[0]?.title).toBe('New words')
  })

  test('moves a published post from its scheduled time to the time of publishing', () => {
    expect(ids(applyChange(list, range, { posts: [post({ status: 'posted' })], gone: [] }))).toEqual(['p2'])
  })

  test('removes deleted posts', () => {
    expect(ids(applyChange(list, range, { posts: [], gone: ['p1', 'other'] }))).toEqual(['p2'])
  })

  test('returns the same list when it is about other posts', () => {
    expect(
      applyChange(list, range, { posts: [post({ _id: 'other', scheduledAt: at(15) })], gone: ['elsewhere'] }),
    ).toBe(list)
  })
})
