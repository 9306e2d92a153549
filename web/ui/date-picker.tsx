import { parseDate } from '@internationalized/date'
import { CalendarDays } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import {
  Button,
  DateInput,
  DatePicker as AriaDatePicker,
  DateSegment,
  Dialog,
  Group,
  I18nProvider,
  Popover,
  type DatePickerProps as AriaDatePickerProps,
  type DateValue,
} from 'react-aria-components'
import { CalendarSheet } from './calendar-sheet.tsx'
import control from './control.module.css'
import { classes } from './classes.ts'
import styles from './date-picker.module.css'
import { FieldFoot, FieldLabel, fieldProps, type FieldTexts } from './field.tsx'
import { useBackToClose } from './use-back-to-close.ts'

export type DatePickerProps = FieldTexts & {
  /** `YYYY-MM-DD`; null: empty. */
  value: string | null
  onChange: (value: string | null) => void
  /** The first allowed day, `YYYY-MM-DD`. */
  min?: string
  onFocus?: () => void
}

/** A date, typed or picked from a month. For a date with a time see DateTimePicker. */
export function DatePicker({ value, onChange, min, ...props }: DatePickerProps) {
  const date = value === null ? null : parseDate(value)
  // Two typed digits are a year of this century. While the field has the focus, two more may follow.
  const completeYear = () => {
    if (date && date.year < 100) onChange(date.set({ year: date.year + 2000 }).toString())
  }
  return (
    <DateFrame
      {...props}
      value={date}
      onChange={(changed) => onChange(changed === null ? null : changed.toString())}
      onBlur={completeYear}
      onOpenChange={completeYear}
      minValue={min === undefined ? null : parseDate(min)}
      isInvalid={props.error !== undefined}
      segments={
        <DateInput className={styles['segments'] ?? ''}>
          {(segment) => <DateSegment segment={segment} className={styles['segment'] ?? ''} />}
        </DateInput>
      }
    />
  )
}

export type FirstDayPickerProps = Omit<DatePickerProps, 'onChange' | 'onFocus'> & {
  lastDay: string | null
  onChange: (firstDay: string | null, lastDay: string | null) => void
}

/**
 * The first day of a range. The last day of a single day follows it. While a day is typed, each digit makes another date, so what counts
 * is the range from before.
 */
export function FirstDayPicker({ lastDay, onChange, ...props }: FirstDayPickerProps) {
  const range = { lastDay, isSingle: lastDay === null || lastDay === props.value }
  const [before, setBefore] = useState(range)
  return (
    <DatePicker
      {...props}
      onFocus={() => setBefore(range)}
      onChange={(firstDay) => onChange(firstDay, before.isSingle ? firstDay : before.lastDay)}
    />
  )
}

type DateFrameProps<T extends DateValue> = FieldTexts &
  Omit<AriaDatePickerProps<T>, 'children' | 'className' | 'style'> & {
    segments: ReactNode
    /** Below the month. */
    children?: ReactNode
  }

/** A field with the segments of a date, and a month that opens below it. `isInvalid` replaces react-aria's own validation. */
export function DateFrame<T extends DateValue>({
  label,
  isLabelHidden,
  description,
  error,
  segments,
  children,
  ...props
}: DateFrameProps<T>) {
  const { isInvalid: _callers, ...frame } = fieldProps({ error })
  const [isOpen, setIsOpen] = useState(false)
  useBackToClose(isOpen)
  const follow = (open: boolean) => {
    setIsOpen(open)
    props.onOpenChange?.(open)
  }
  return (
    <I18nProvider locale="en-US">
      <AriaDatePicker<T> {...props} {...frame} onOpenChange={follow} shouldForceLeadingZeros>
        <FieldLabel label={label} isLabelHidden={isLabelHidden} />
        <Group className={classes(control['box'], styles['box'])}>
          {segments}
          <Button className={classes(control['icon'], styles['open'])}>
            <CalendarDays />
          </Button>
        </Group>
        <FieldFoot description={description} error={error} />
        <Popover className={classes(control['list'], styles['popover'])} offset={4}>
          <Dialog className={styles['dialog'] ?? ''}>
            <CalendarSheet />
            {children}
          </Dialog>
        </Popover>
      </AriaDatePicker>
    </I18nProvider>
  )
}
