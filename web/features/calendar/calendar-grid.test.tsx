import 'temporal-polyfill/global'
import { parseDate } from '@internationalized/date'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { BaseEntry } from './calendar-entry.ts'
import { entryHtml } from './calendar-entry-html.ts'
import { CalendarGrid, type CalendarGridProps } from './calendar-grid.tsx'

const day = parseDate('2039-11-16')
const at = (hour: number) => Date.UTC(2039, 10, 16, hour)
/** More entries than a day of the month shows. */
const entries: BaseEntry[] = Array.from({ length: 7 }, (_, n) => ({
  id: `p${n}`,
  status: 'scheduled',
  at: at(9 + n),
  day: '2039-11-16',
  title: `Post ${n}`,
}))

/** A grid that turns its pages, as the screen does. */
function Turning({ day: first, onTurnPage, ...props }: CalendarGridProps<BaseEntry>) {
  const [day, setDay] = useState(first)
  return (
    <CalendarGrid
      {...props}
      day={day}
      onTurnPage={(by) => {
        setDay(day.add({ months: by }))
        onTurnPage(by)
      }}
    />
  )
}

async function shown(view: 'month' | 'week', more: Partial<CalendarGridProps<BaseEntry>> = {}) {
  const screen = await render(
    <div style={{ height: 700 }}>
      <Turning
        view={view}
        day={day}
        entries={entries}
        markup={(entry) => entry.title}
        nouns={{ one: 'post', many: 'posts', plan: 'Plan a post' }}
        timeZone="UTC"
        loading={false}
        onOpen={() => {}}
        onPreload={() => {}}
        onMore={() => {}}
        onOpenDay={() => {}}
        onTurnPage={() => {}}
        onPlan={() => {}}
        {...more}
      />
    </div>,
  )
  await expect.element(screen.getByText('Post 0')).toBeInTheDocument()
  return screen.container
}

/** Selectors of schedule-x's internal HTML that our drag, keyboard and styles use. They are no public interface. */
test.each([
  ['month', '.sx__month-grid-wrapper'],
  ['month', '.sx__month-grid-day[data-date="2039-11-16"]'],
  ['month', '.sx__month-grid-day__header-date'],
  ['month', '.sx__month-grid-day__events-more'],
  ['month', '.sx__event[data-event-id="p0"]'],
  ['week', '.sx__view-container:has(.sx__week-grid)'],
  ['week', '.sx__time-grid-day[data-time-grid-date="2039-11-16"]'],
  ['week', '.is-week-view .sx__week-grid__date-number'],
  ['week', '.sx__event[data-event-id="p0"]'],
] as const)('in the %s the grid still has %s', async (view, selector) => {
  const grid = await shown(view)
  await expect.poll(() => grid.querySelectorAll(selector).length).toBeGreaterThan(0)
})

// An appointment that was made in another time zone may end after midnight.
test('the week has an entry until after midnight at its time, until the end of its day', async () => {
  const late = { ...entries[0]!, at: at(20), until: at(28) }
  const grid = await shown('week', { entries: [late] })
  const shape = () => {
    const { style } = grid.querySelector<HTMLElement>('.sx__time-grid-event')!
    return [style.insetBlockStart || style.top, style.height].map((percent) => Math.round(parseFloat(percent)))
  }
  await expect.poll(shape).toEqual([83, 17])
})

test('days have accessible names, one tab stop, and open by key', async () => {
  const onOpenDay = vi.fn<(day: string) => void>()
  const grid = await shown('month', { onOpenDay })
  const head = () => grid.querySelector<HTMLElement>('[aria-label^="Open Wednesday, November 16"]')
  await expect.poll(head).not.toBeNull()
  await expect
    .poll(() => grid.querySelector('[aria-label^="Wednesday, November 16"]')?.getAttribute('aria-label'))
    .toContain('7 posts')
  await expect.poll(() => grid.querySelectorAll('[data-date] [tabindex="0"]')).toHaveLength(1)
  // Until the skeleton goes the grid is hidden and takes no focus.
  const focusHead = () => {
    head()?.focus()
    return document.activeElement === head()
  }
  await expect.poll(focusHead).toBe(true)
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => onOpenDay.mock.calls).toEqual([['2039-11-16']])
})

test('arrow keys go over the days and into their entries, Enter opens one, and Page Down and Up turn the page', async () => {
  const onOpen = vi.fn<(id: string) => void>()
  const onTurnPage = vi.fn<(by: -1 | 1) => void>()
  const grid = await shown('month', { onOpen, onTurnPage })
  const focused = () => {
    const { activeElement } = document
    return grid.contains(activeElement)
      ? (activeElement?.getAttribute('aria-label') ?? activeElement?.textContent)
      : null
  }
  const head = () => grid.querySelector<HTMLElement>('[aria-label^="Open Tuesday, November 15"]')
  // Until the skeleton goes the grid is hidden and takes no focus.
  const focusHead = () => {
    head()?.focus()
    return focused()
  }
  await expect.poll(focusHead).toMatch(/^Open Tuesday, November 15/)
  await userEvent.keyboard('{ArrowRight}')
  await expect.poll(focused).toMatch(/^Open Wednesday, November 16/)
  await userEvent.keyboard('{ArrowDown}')
  await expect.poll(focused).toBe('Post 0')
  await userEvent.keyboard('{ArrowDown}')
  await expect.poll(focused).toBe('Post 1')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => onOpen.mock.calls).toEqual([['p1']])
  await userEvent.keyboard('{PageDown}')
  await expect.poll(() => grid.querySelector('[aria-label^="Open Wednesday, December 21"]')).not.toBeNull()
  await expect.poll(focused).toMatch(/^Open \w+, /)
  await userEvent.keyboard('{PageUp}')
  await expect.poll(head).not.toBeNull()
  await expect.poll(focused).toMatch(/^Open \w+, /)
  expect(onTurnPage.mock.calls).toEqual([[1], [-1]])
})

test('a month entry has its picture beside its time, and its title on a separate line', async () => {
  const picture = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
  await page.viewport(1280, 800)
  const grid = await shown('month', {
    markup: (entry) =>
      entryHtml({ sign: 'scheduled', time: '10:00 AM', title: entry.title, accessibleParts: [], picture }),
  })
  const box = (part: string) =>
    grid.querySelector(`[data-event-id="p0"] ${part}`)?.getBoundingClientRect() ?? expect.fail(`there is no ${part}`)
  await expect.poll(() => box('img').height).toBeGreaterThan(28)
  const [time, title] = ['[class*=time]', '[class*=title]'].map(box)
  expect(time!.bottom).toBeLessThanOrEqual(title!.top + 1)
  expect(time!.left).toBeGreaterThanOrEqual(box('img').right)
  expect(title!.left).toBeGreaterThanOrEqual(box('img').right)
})

test('in a month on a tablet an entry has its time below its icon, and each weekday is above its date', async () => {
  await page.viewport(448, 900)
  const grid = await shown('month', {
    markup: (entry) =>
      entryHtml({ sign: 'scheduled', time: '10:30 AM', title: entry.title, accessibleParts: [], picture: null }),
  })
  const box = (element: Element | null | undefined) =>
    element?.getBoundingClientRect() ?? expect.fail('there is no such part')
  const part = (name: string) => box(grid.querySelector(`[data-event-id="p0"] ${name}`))
  await expect.poll(() => part('[class*=time]').height).toBeGreaterThan(0)
  expect(part('svg').bottom).toBeLessThanOrEqual(part('[class*=time]').top + 1)
  expect(part('[class*=time]').right).toBeLessThanOrEqual(box(grid.querySelector('[data-event-id="p0"]')).right)
  const weekdays = [...grid.querySelectorAll('.sx__month-grid-day__header-day-name')]
  expect(weekdays).toHaveLength(7)
  for (const weekday of weekdays)
    expect(box(weekday).bottom).toBeLessThanOrEqual(box(weekday.nextElementSibling).top + 1)
})

test('in a week on a tablet an entry without a picture has its title below its icon', async () => {
  await page.viewport(448, 900)
  const grid = await shown('week', {
    markup: (entry) =>
      entryHtml({ sign: 'scheduled', time: '10:30 AM', title: entry.title, accessibleParts: [], picture: null }),
  })
  const part = (name: string) =>
    grid.querySelector(`[data-event-id="p0"] ${name}`)?.getBoundingClientRect() ?? expect.fail(`there is no ${name}`)
  await expect.poll(() => part('[class*=title]').height).toBeGreaterThan(0)
  expect(part('svg').bottom).toBeLessThanOrEqual(part('[class*=title]').top + 1)
})

/** Opens a day, as the screen does. */
function Opening(props: Omit<CalendarGridProps<BaseEntry>, 'view' | 'day' | 'onOpenDay'>) {
  const [opened, setOpened] = useState<string>()
  return (
    <CalendarGrid
      {...props}
      view={opened === undefined ? 'month' : 'day'}
      day={opened === undefined ? day : parseDate(opened)}
      onOpenDay={setOpened}
    />
  )
}

test('a day without entries that is opened by key passes the focus to its hours', async () => {
  const { container } = await render(
    <div style={{ height: 700 }}>
      <Opening
        entries={entries}
        markup={(entry) => entry.title}
        nouns={{ one: 'post', many: 'posts', plan: 'Plan a post' }}
        timeZone="UTC"
        loading={false}
        onOpen={() => {}}
        onMore={() => {}}
        onTurnPage={() => {}}
        onPlan={() => {}}
      />
    </div>,
  )
  const focusHead = () => {
    const head = container.querySelector<HTMLElement>('[aria-label^="Open Tuesday, November 15"]')
    head?.focus()
    return head !== null && document.activeElement === head
  }
  await expect.poll(focusHead).toBe(true)
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('group', { name: 'Hours' })).toHaveFocus()
})
