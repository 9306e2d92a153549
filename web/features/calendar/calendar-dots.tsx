import type { CalendarDate } from '@internationalized/date'
import { useEffect, useEffectEvent, useRef, type KeyboardEvent, type TouchEvent } from 'react'
import { classes } from '../../ui/classes.ts'
import tones from '../../ui/tone.module.css'
import hidden from '../../ui/visually-hidden.module.css'
import layout from '../../ui/layout.module.css'
import styles from './calendar-dots.module.css'
import { countText, displayState, type CalendarState, type BaseEntry, type Nouns } from './calendar-entry.ts'
import { currentDay, daysOf, dayTitle, weekdays, type DayRange } from './calendar-range.ts'
import { addLongPress } from './long-press.ts'

/** More dots below a number would be indistinguishable. */
const dotsPerDay = 3
/** In pixels; shorter horizontal movements are no swipe. */
const swipeDistance = 48

const daysByKey: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

export type CalendarDotsProps = {
  /** Whole weeks. */
  weeks: readonly DayRange[]
  day: CalendarDate
  entries: ReadonlyMap<string, readonly BaseEntry[]>
  /** The most important last. */
  states: readonly CalendarState[]
  nouns: Nouns
  timeZone: string
  loading: boolean
  onDay: (day: CalendarDate) => void
  /** Called on a long press. */
  onOpenDay: (day: string) => void
  onTurnPage: (by: -1 | 1) => void
}

/** A month or week on a phone: a number and dots per day. Arrow keys move between days, a swipe changes the range. */
export function CalendarDots({
  weeks,
  day,
  entries,
  states,
  nouns,
  timeZone,
  loading,
  onDay,
  onOpenDay,
  onTurnPage,
}: CalendarDotsProps) {
  const grid = useRef<HTMLTableElement>(null)
  const isMovedByKey = useRef(false)
  const touchStart = useRef<{ clientX: number; clientY: number }>(undefined)
  const selected = day.toString()
  const today = currentDay(timeZone).toString()

  useEffect(() => {
    if (!isMovedByKey.current) return
    isMovedByKey.current = false
    grid.current?.querySelector<HTMLElement>(`[data-day="${selected}"]`)?.focus()
  }, [selected])

  const onLongPress = useEffectEvent((target: Element) => {
    const pressed = target.closest<HTMLElement>('[data-day]')?.dataset['day']
    if (pressed) onOpenDay(pressed)
  })
  useEffect(() => {
    if (!grid.current) return
    return addLongPress(grid.current, (target) => onLongPress(target))
  }, [])

  const onKeyDown = (event: KeyboardEvent) => {
    const by = daysByKey[event.key]
    if (by === undefined && event.key !== 'PageUp' && event.key !== 'PageDown') return
    event.preventDefault()
    isMovedByKey.current = true
    if (by === undefined) onTurnPage(event.key === 'PageUp' ? -1 : 1)
    else onDay(day.add({ days: by }))
  }
  // Two fingers zoom the page, and are no swipe.
  const onTouchStart = ({ touches }: TouchEvent) => {
    touchStart.current = touches.length === 1 ? touches[0] : undefined
  }
  const onTouchEnd = ({ changedTouches }: TouchEvent) => {
    const [start, end] = [touchStart.current, changedTouches[0]]
    touchStart.current = undefined
    if (!start || !end) return
    const x = end.clientX - start.clientX
    const y = end.clientY - start.clientY
    if (Math.abs(x) > swipeDistance && Math.abs(x) > 2 * Math.abs(y)) onTurnPage(x > 0 ? -1 : 1)
  }

  return (
    // The grid handles the arrow keys for all of its day buttons.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <table
      ref={grid}
      className={classes(layout['sheet'], styles['dots'], loading && styles['loading'])}
      aria-label="Days"
      onKeyDown={onKeyDown}
      onTouchStart={onTouchStart}
      onTouchEnd={onTouchEnd}
    >
      <thead>
        <tr>
          {weekdays.map((name) => (
            <th key={name} scope="col" className={styles['weekday']}>
              <span aria-hidden="true">{name.slice(0, 1)}</span>
              <span className={hidden['hidden']}>{name}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week.from.toString()}>
            {daysOf(week).map((one) => {
              const date = one.toString()
              const ofDay = entries.get(date) ?? []
              return (
                <td key={date} className={styles['cell']}>
                  <button
                    type="button"
                    data-day={date}
                    className={classes(
                      styles['day'],
                      weeks.length > 1 && one.month !== day.month && styles['outside'],
                      date === today && styles['today'],
                    )}
                    aria-pressed={date === selected}
                    aria-current={date === today ? 'date' : undefined}
                    aria-label={`${dayTitle(one)}, ${countText(ofDay.length, nouns)}`}
                    tabIndex={date === selected ? 0 : -1}
                    onClick={() => onDay(one)}
                  >
                    <span className={styles['number']}>{one.day}</span>
                    <Dots entries={ofDay} states={states} />
                  </button>
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** One dot per entry, the most important states first. */
function Dots({ entries, states }: { entries: readonly BaseEntry[]; states: readonly CalendarState[] }) {
  const byImportance = states.toReversed().flatMap((state) => entries.filter((entry) => displayState(entry) === state))
  return (
    <span className={styles['marks']}>
      {byImportance.slice(0, dotsPerDay).map((entry) => (
        <span key={entry.id} className={classes(tones[displayState(entry)], styles[displayState(entry)])} />
      ))}
      {entries.length > dotsPerDay && <span className={styles['more']}>+</span>}
    </span>
  )
}
