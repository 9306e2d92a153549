import { parseDate } from '@internationalized/date'
import { CalendarDays } from 'lucide-react'
import {
  Button,
  DateInput,
  DatePicker as AriaDatePicker,
  DateSegment,
  Dialog,
  Group,
  I18nProvider,
  Popover,
} from 'react-aria-components'
import { CalendarSheet } from './calendar-sheet.tsx'
import control from './control.module.css'
import { classes } from './classes.ts'
import styles from './date-picker.module.css'
import { FieldFoot, FieldLabel, fieldClass, type FieldTexts } from './field.tsx'

export type DatePickerProps = FieldTexts & {
  name?: string
  /** `YYYY-MM-DD`; null: empty. */
  value: string | null
  onChange: (value: string | null) => void
  /** The first and last allowed day, `YYYY-MM-DD`. */
  min?: string
  max?: string
  disabled?: boolean
}

/** A date, typed or picked from a month. For a date with a time see DateTimePicker. */
export function DatePicker({
  label,
  labelHidden,
  description,
  error,
  value,
  onChange,
  min,
  max,
  disabled = false,
  ...props
}: DatePickerProps) {
  return (
    <I18nProvider locale="en-US">
      <AriaDatePicker
        {...props}
        className={fieldClass}
        value={value === null ? null : parseDate(value)}
        onChange={(date) => onChange(date === null ? null : date.toString())}
        minValue={min === undefined ? null : parseDate(min)}
        maxValue={max === undefined ? null : parseDate(max)}
        isDisabled={disabled}
        isInvalid={error !== undefined}
        validationBehavior="aria"
        shouldForceLeadingZeros
      >
        <FieldLabel label={label} labelHidden={labelHidden} />
        <Group className={classes(control['box'], styles['box'])}>
          <DateInput className={styles['segments'] ?? ''}>
            {(segment) => <DateSegment segment={segment} className={styles['segment'] ?? ''} />}
          </DateInput>
          <Button className={styles['open'] ?? ''}>
            <CalendarDays aria-hidden="true" />
          </Button>
        </Group>
        <FieldFoot description={description} error={error} />
        <Popover className={classes(control['list'], styles['popover'])} offset={4}>
          <Dialog className={styles['dialog'] ?? ''}>
            <CalendarSheet />
          </Dialog>
        </Popover>
      </AriaDatePicker>
    </I18nProvider>
  )
}
