import { expect, test } from 'vitest'
import { escapeHtml } from '../../calendar/calendar-entry-html.ts'
import { legendOf, type CalendarEntry } from './calendar-entries.ts'
import { entryMarkup } from './calendar-markup.ts'

const entry: CalendarEntry = {
  id: 'p1',
  status: 'failed',
  at: new Date(2026, 10, 21, 14, 5).getTime(),
  day: '2026-11-21',
  title: 'Dagger & rose',
  thumbnail: '/files/posts/p1/0',
  isVideo: false,
  more: 0,
  platforms: ['facebook', 'youtube'],
}

test("escapes the artist's text", () => {
  expect(escapeHtml(`<img src=x onerror="alert('1')"> & co`)).toBe(
    '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; co',
  )
  const markup = entryMarkup({ ...entry, title: '</span><script>alert(1)</script>', thumbnail: '"><b>' }, true)
  expect(markup).not.toContain('<script')
  expect(markup).not.toContain('"><b>')
})

test('an entry is read aloud as its time, title, state and networks', () => {
  const spoken = /class="[^"]*hidden[^"]*">([^<]*)</.exec(entryMarkup(entry, true))?.[1]
  expect(spoken).toBe('2:05 PM, Dagger &amp; rose, Failed, Facebook, YouTube')
})

test('a queued entry is read aloud as queued, or as paused while the queue is', () => {
  expect(entryMarkup({ ...entry, status: 'scheduled', queue: 'placed' }, true)).toContain('Dagger &amp; rose, Queued,')
  expect(entryMarkup({ ...entry, status: 'scheduled', queue: 'paused' }, true)).toContain('rose, Queue paused,')
})

test('a queued entry has the icon of the queue, unless its account must be reconnected', () => {
  const signs = (one: Partial<CalendarEntry>) =>
    [...entryMarkup({ ...entry, status: 'scheduled', ...one }, true).matchAll(/href="#([^"]*)"/g)].map(([, id]) => id)
  expect(signs({})).toEqual(['calendar-mark-scheduled'])
  expect(signs({ queue: 'placed' })).toEqual(['calendar-mark-queued'])
  expect(signs({ queue: 'paused' })).toEqual(['calendar-mark-paused'])
  expect(signs({ queue: 'placed', mark: 'endangered' })).toEqual(['calendar-mark-endangered'])
})

test('the legend explains the icons of the queue only if they are shown', () => {
  const scheduled = { ...entry, status: 'scheduled' } as const
  expect(legendOf([entry, scheduled])).toEqual(['posted', 'scheduled', 'failed'])
  expect(
    legendOf([
      { ...scheduled, queue: 'paused' },
      { ...scheduled, queue: 'placed' },
    ]),
  ).toEqual(['posted', 'scheduled', 'failed', 'queued', 'paused'])
})

test('shows a picture only if there is one and room for it', () => {
  expect(entryMarkup(entry, true)).toContain('src="/files/posts/p1/0"')
  expect(entryMarkup(entry, false)).not.toContain('<img')
  expect(entryMarkup({ ...entry, thumbnail: null }, true)).not.toContain('<img')
})
