import {
  fromAbsolute,
  getLocalTimeZone,
  parseDateTime,
  resetLocalTimeZone,
  Time,
  toCalendarDate,
  toCalendarDateTime,
  toZoned,
  type ZonedDateTime,
} from '@internationalized/date'
import { useContext, useEffect, useRef, useState, type ComponentProps, type RefObject } from 'react'
import {
  DateFieldStateContext,
  DateInput,
  DatePickerStateContext,
  DateSegment,
  Input,
  Label,
  TimeField,
} from 'react-aria-components'
import control from './control.module.css'
import dateStyles from './date-picker.module.css'
import { DateFrame } from './date-picker.tsx'
import text from './text.module.css'
import styles from './date-time-picker.module.css'
import type { FieldTexts } from './field.tsx'
import { TextFrame } from './text-field.tsx'
import { useMediaQuery } from './use-media-query.ts'

export type DateTimePickerProps = FieldTexts & {
  /** An instant; null: empty or incomplete. */
  value: Date | null
  onChange: (value: Date | null) => void
  /** The first allowed instant: earlier days are disabled, an earlier time marks the field as invalid. */
  min?: Date
}

/** Read again each time, because the library keeps the first zone and a laptop with an open page may travel. */
function viewersZone(): string {
  resetLocalTimeZone()
  return getLocalTimeZone()
}

const inViewersZone = (instant: Date) => fromAbsolute(instant.getTime(), viewersZone())

/** A day and a time in the viewer's zone. With a mouse it is shown as MM/dd/yy h:mm aa, typed segment by segment or picked from a month. */
export function DateTimePicker(props: DateTimePickerProps) {
  // Touch devices get their native picker, which is easier to use by finger than ours.
  const isTouch = useMediaQuery('(pointer: coarse)')
  return isTouch ? <NativePicker {...props} /> : <SegmentPicker {...props} />
}

function NativePicker({ value, onChange, min, ...frame }: DateTimePickerProps) {
  const inZone = (instant: Date) =>
    toCalendarDateTime(inViewersZone(instant)).toString().slice(0, 'YYYY-MM-DDThh:mm'.length)
  return (
    <TextFrame
      {...frame}
      value={value ? inZone(value) : ''}
      onChange={(local) => onChange(local === '' ? null : toZoned(parseDateTime(local), viewersZone()).toDate())}
    >
      <Input type="datetime-local" className={control['box'] ?? ''} min={min ? inZone(min) : undefined} />
    </TextFrame>
  )
}

function SegmentPicker({ value, onChange, min, ...frame }: DateTimePickerProps) {
  // The next whole hour: the month opens there, and arrow keys count empty segments from there.
  const [placeholder] = useState(() => inViewersZone(new Date(Math.ceil((Date.now() + 1) / 3_600_000) * 3_600_000)))
  return (
    <DateFrame<ZonedDateTime>
      {...frame}
      granularity="minute"
      hourCycle={12}
      hideTimeZone
      shouldCloseOnSelect={false}
      placeholderValue={placeholder}
      value={value && inViewersZone(value)}
      // The first day and time that are picked have no zone, whatever the type says.
      onChange={(date) => onChange(date && toZoned(withFullYear(date), viewersZone()).toDate())}
      minValue={min ? inViewersZone(min) : null}
      {...(frame.error === undefined ? {} : { isInvalid: true })}
      segments={<Segments />}
    >
      <DefaultTime />
      <TimeRow />
    </DateFrame>
  )
}

/** Two typed digits are a year of this century. */
function withFullYear(date: ZonedDateTime): ZonedDateTime {
  return date.year < 100 ? date.set({ year: date.year + 2000 }) : date
}

function Segments() {
  return <DateInput className={dateStyles['segments'] ?? ''}>{(segment) => <Segment segment={segment} />}</DateInput>
}

type SegmentOf = ComponentProps<typeof DateSegment>['segment']

function Segment({ segment }: { segment: SegmentOf }) {
  const ref = useYearTyping(segment.type === 'year')
  return (
    <DateSegment ref={ref} segment={segment} className={dateStyles['segment'] ?? ''}>
      {segment.type === 'literal' ? segment.text.replace(', ', ' ') : shortened(segment)}
    </DateSegment>
  )
}

/**
 * The year is shown and typed in two digits: 26 is 2026 and moves the focus to the next segment. After 20 it waits for two more
 * digits, so that 2026 can be typed in full too.
 */
function useYearTyping(isYear: boolean): RefObject<HTMLSpanElement | null> {
  const segment = useRef<HTMLSpanElement>(null)
  const typed = useRef('')
  const state = useContext(DateFieldStateContext)
  useEffect(() => {
    const element = segment.current
    if (!isYear || !element || !state) return
    const handleInput = (event: InputEvent) => {
      if (event.inputType !== 'insertText' || !/^\d$/.test(event.data ?? '')) return
      // The field's own listener would wait for four digits.
      event.preventDefault()
      event.stopImmediatePropagation()
      const digits = typed.current + (event.data ?? '')
      const isComplete = digits.length === 4 || (digits.length === 2 && digits !== '20')
      typed.current = isComplete ? '' : digits
      state.setSegment('year', 2000 + Number(digits.length > 2 ? digits.slice(2) : digits))
      if (isComplete) nextSegment(element)?.focus()
    }
    const reset = () => {
      typed.current = ''
    }
    element.addEventListener('beforeinput', handleInput, { capture: true })
    element.addEventListener('blur', reset)
    return () => {
      element.removeEventListener('beforeinput', handleInput, { capture: true })
      element.removeEventListener('blur', reset)
    }
  })
  return segment
}

function nextSegment(element: HTMLElement): HTMLElement | undefined {
  const segments = [...(element.parentElement?.querySelectorAll<HTMLElement>('[role="spinbutton"]') ?? [])]
  return segments[segments.indexOf(element) + 1]
}

/** Shortens the date field's `yyyy` and `hh` to `yy` and `h`. */
function shortened({ type, text, isPlaceholder }: { type: string; text: string; isPlaceholder: boolean }): string {
  if (type === 'year') return isPlaceholder ? 'yy' : text.slice(-2).padStart(2, '0')
  if (type === 'hour') return isPlaceholder ? 'h' : text.replace(/^0(?=\d)/, '')
  if (type === 'minute' && isPlaceholder) return 'mm'
  return text
}

const defaultHour = 10

/** Gives a picked day a default time, so that the value is complete: 10:00, or the next whole hour if the day is today and that is later, until 23:59. */
function DefaultTime() {
  const state = useContext(DatePickerStateContext)
  const day = state?.dateValue
  const needsTime = state !== null && day !== null && day !== undefined && state.timeValue === null
  useEffect(() => {
    if (!needsTime) return
    const now = new Date()
    const isToday = toCalendarDate(inViewersZone(now)).compare(day) === 0
    const hour = isToday ? Math.max(defaultHour, now.getHours() + 1) : defaultHour
    state.setTimeValue(hour < 24 ? new Time(hour) : new Time(23, 59))
  }, [needsTime, day, state])
  return null
}

/** The time below the month, so that both can be set in one popover. */
function TimeRow() {
  const state = useContext(DatePickerStateContext)
  if (!state) return null
  return (
    <TimeField
      className={styles['time'] ?? ''}
      granularity="minute"
      hourCycle={12}
      hideTimeZone
      value={state.timeValue}
      onChange={(time) => {
        if (time) state.setTimeValue(time)
      }}
    >
      <Label className={text['label']}>Time</Label>
      <div className={styles['time-box']}>
        <Segments />
      </div>
    </TimeField>
  )
}
