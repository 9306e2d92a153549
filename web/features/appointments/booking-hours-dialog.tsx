import { weekdayNames, zoneLabel } from '@flashsheet/contracts/time'
import { appointmentMessages } from '@flashsheet/contracts/appointments/messages'
import { Availability, type BlockInput, type DayHours, type OwnHours } from '@flashsheet/contracts/appointments/schema'
import {
  appointmentLimits,
  bookingTypes,
  closingMinute,
  openingMinute,
} from '@flashsheet/contracts/appointments/limits'
import { parseDate } from '@internationalized/date'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { useUnsentText } from '../../lib/session-end.ts'
import { trpc } from '../../lib/trpc.ts'
import { useScrollIntoView } from '../../lib/use-scroll-into-view.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { fieldErrors } from '../../lib/validation.ts'
import { Alert, FailureAlert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { DatePicker, FirstDayPicker } from '../../ui/date-picker.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { focusAdded } from '../../ui/focus-added.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast.tsx'
import { useSettling } from '../../ui/use-settling.ts'
import { currentDay, dayTitle } from '../calendar/calendar-range.ts'
import { classes } from '../../ui/classes.ts'
import layout from '../../ui/layout.module.css'
import text from '../../ui/text.module.css'
import styles from './booking-hours-dialog.module.css'
import {
  bufferChoices,
  optionValue,
  dayTimes,
  horizonChoices,
  lengthChoices,
  moveChoices,
  noticeChoices,
  withCurrent,
  workingTimes,
} from './hours-options.ts'

const wholeDay: DayHours = { from: openingMinute, to: closingMinute, breaks: [] }

export type BookingHoursDialogProps = {
  stored: OwnHours
  /** What the dialog shows at first, if not the stored hours. */
  suggested?: Availability
  open: boolean
  onClose: () => void
  /** Present if the dialog interrupts the first publishing of a site: continues it after saving. */
  onFirstSaved?: () => void
}

export function BookingHoursDialog({ stored, suggested, open, onClose, onFirstSaved }: BookingHoursDialogProps) {
  const { timeZone, isSet: _isSet, ...rules } = stored
  const [today] = useState(() => currentDay(timeZone).toString())
  const initial = (from: Availability) => suggested ?? withoutPastBlocks(from, today)
  const [edit, setEdit] = useState(() => initial(rules))
  /** The stored hours from which the artist began. */
  const [base, setBase] = useState(rules)
  const isEdited = open && !isSame(edit, initial(base))
  useUnsentText('booking hours', isEdited ? { edit, base } : undefined, (unsent) => {
    setEdit(unsent.edit)
    setBase(unsent.base)
  })
  const isChangedElsewhere = open && !isSame(rules, base)
  const { failure, show, clear } = useFailure()
  const alerts = useScrollIntoView(failure)
  const utils = trpc.useUtils()
  const change = (patch: Partial<Availability>) => {
    setEdit((before) => ({ ...before, ...patch }))
    clear()
  }
  const changeDay = (index: number, day: DayHours | null) => change({ weekly: edit.weekly.with(index, day) })
  const changeBlock = (index: number, block: BlockInput | undefined) =>
    change({ blocks: edit.blocks.toSpliced(index, 1, ...(block ? [block] : [])) })
  const save = trpc.appointments.saveAvailability.useMutation({
    onSuccess: (saved) => {
      utils.appointments.availability.setData(undefined, saved)
      onClose()
      if (onFirstSaved) onFirstSaved()
      else toast.success(appointmentMessages.hoursSaved)
    },
    onError: async (error) => {
      const refusal = failureOf(error, appointmentMessages.hoursFailed)
      show(refusal)
      // The dialog offers the hours that were saved elsewhere once they are loaded.
      if (refusal.code === 'conflict') await utils.appointments.availability.invalidate()
    },
  })
  const rowCount = edit.blocks.length + edit.weekly.flatMap((day) => day?.breaks ?? []).length
  const settling = useSettling(rowCount)
  const saveOnce = useSingleFlight(save.mutateAsync)
  const submit = () => {
    const [firstError] = Object.values(fieldErrors(Availability, edit))
    const blocks = [...rules.blocks.filter((block) => isPast(block, today)), ...edit.blocks]
    if (firstError === undefined)
      saveOnce({ ...edit, blocks: blocks.slice(-appointmentLimits.blocks), previous: rules })
    else show({ message: firstError, code: 'invalid' })
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={onFirstSaved ? 'When can clients book?' : 'Booking hours'}
      size="wide"
      unsaved={isEdited}
      busy={save.isPending}
      actions={
        <>
          <Button onPress={onClose} isDisabled={save.isPending}>
            Cancel
          </Button>
          <Button variant="primary" onPress={submit} pending={save.isPending} pendingLabel="Saving...">
            {onFirstSaved ? 'Save and publish' : 'Save'}
          </Button>
        </>
      }
    >
      <div className={classes(layout['stack-6'], styles['sections'])} data-settling={settling}>
        <p className={text['note']}>
          Clients can book these times on your site, in {zoneLabel(timeZone)}, and get a reminder{' '}
          {appointmentLimits.reminderDays} days before. You can still add an appointment at any time.
        </p>
        <Switch on={edit.takesBookings} onChange={(takesBookings) => change({ takesBookings })}>
          Take bookings
        </Switch>
        {(failure || isChangedElsewhere) && (
          <div ref={alerts} className={layout['stack-4']}>
            {failure && !(isChangedElsewhere && failure.code === 'conflict') && <FailureAlert failure={failure} />}
            {isChangedElsewhere && (
              <Alert
                tone="warning"
                live
                action={
                  <Button
                    size="small"
                    onPress={() => {
                      setEdit(withoutPastBlocks(rules, today))
                      setBase(rules)
                      clear()
                    }}
                  >
                    {appointmentMessages.showOtherHours}
                  </Button>
                }
              >
                {appointmentMessages.hoursChangedElsewhere}
              </Alert>
            )}
          </div>
        )}
        {edit.takesBookings ? (
          <>
            <section aria-labelledby="hours-week">
              <h3 id="hours-week">Week</h3>
              {weekdayNames.map((name, index) => (
                <DayRow
                  key={name}
                  name={name}
                  day={edit.weekly[index] ?? null}
                  onChange={(day) => changeDay(index, day)}
                />
              ))}
            </section>
            <section aria-labelledby="hours-off">
              <h3 id="hours-off">Days off</h3>
              {edit.blocks.map((block, index) => (
                // Blocks have no id, and they are never reordered.
                <BlockRow key={index} block={block} onChange={(next) => changeBlock(index, next)} />
              ))}
              <Button
                size="small"
                icon={<Plus />}
                onPress={(event) =>
                  focusAdded(event, () =>
                    change({
                      blocks: [...edit.blocks, { firstDay: today, lastDay: today, from: 0, to: 1440, reason: '' }],
                    }),
                  )
                }
              >
                Add days off
              </Button>
            </section>
            <section aria-labelledby="hours-rules">
              <h3 id="hours-rules">Rules</h3>
              <div className={styles['rules']}>
                <Select
                  label="Notice"
                  description="How much notice you want, at least."
                  value={String(edit.noticeHours)}
                  options={withCurrent(noticeChoices, edit.noticeHours, (hours) => `${hours} hours`)}
                  onChange={(value) => change({ noticeHours: optionValue(value) ?? 0 })}
                />
                <Select
                  label="How far ahead"
                  description="How far ahead clients can book."
                  value={String(edit.horizonDays)}
                  options={withCurrent(horizonChoices, edit.horizonDays, (days) => `${days} days`)}
                  onChange={(value) => change({ horizonDays: optionValue(value) })}
                />
                <Select
                  label="Pause after each"
                  description="Kept free to clean up and rest."
                  value={String(edit.bufferMinutes)}
                  options={withCurrent(bufferChoices, edit.bufferMinutes, (minutes) => `${minutes} minutes`)}
                  onChange={(value) => change({ bufferMinutes: optionValue(value) ?? 0 })}
                />
                <Select
                  label="Moving by clients"
                  description="With the private link in their email."
                  value={String(edit.moveNoticeHours)}
                  options={withCurrent(moveChoices, edit.moveNoticeHours, (hours) => `Until ${hours} hours before`)}
                  onChange={(value) => change({ moveNoticeHours: optionValue(value) })}
                />
                {bookingTypes.map((type) => (
                  <Select
                    key={type}
                    label={type}
                    value={String(edit.lengths[type])}
                    options={lengthChoices}
                    onChange={(value) => change({ lengths: { ...edit.lengths, [type]: optionValue(value) ?? 60 } })}
                  />
                ))}
              </div>
            </section>
          </>
        ) : (
          <p className={text['note']}>Your site takes no bookings. Clients see how to reach you instead.</p>
        )}
      </div>
    </Dialog>
  )
}

const isPast = ({ lastDay }: BlockInput, today: string) => lastDay < today

/** Past days off need no edit, and would push the others out of sight. A save keeps them for the calendar's past months. */
const withoutPastBlocks = (rules: Availability, today: string): Availability => ({
  ...rules,
  blocks: rules.blocks.filter((block) => !isPast(block, today)),
})

const isSame = (one: Availability, other: Availability) => JSON.stringify(one) === JSON.stringify(other)

function DayRow({
  name,
  day,
  onChange,
}: {
  name: string
  day: DayHours | null
  onChange: (day: DayHours | null) => void
}) {
  const put = (patch: Partial<DayHours>) => day && onChange({ ...day, ...patch })
  const numberOf = (index: number) => (day && day.breaks.length > 1 ? ` ${index + 1}` : '')
  return (
    <fieldset className={styles['day']} aria-label={name}>
      <div className={styles['name']}>
        <Switch on={day !== null} onChange={(on) => onChange(on ? wholeDay : null)}>
          {name}
        </Switch>
      </div>
      {day ? (
        <div className={layout['stack-2']}>
          <TimeRange label={name} value={day} onChange={put} options={workingTimes} />
          {day.breaks.map((one, index) => (
            // Breaks have no id, and they are never reordered.
            <div key={index} className={layout['row-2']}>
              <span className={text['note']}>Break</span>
              <TimeRange
                label={`${name}, break${numberOf(index)}`}
                value={one}
                options={workingTimes}
                onChange={(patch) => put({ breaks: day.breaks.with(index, { ...one, ...patch }) })}
              />
              <IconButton
                label={`Remove ${numberOf(index) === '' ? 'the break' : `break${numberOf(index)}`} on ${name}`}
                onPress={() => put({ breaks: day.breaks.toSpliced(index, 1) })}
              >
                <X />
              </IconButton>
            </div>
          ))}
          {day.breaks.length < 3 && (
            <div className={styles['add']}>
              <Button
                size="small"
                variant="quiet"
                icon={<Plus />}
                aria-label={`Add a break on ${name}`}
                onPress={(event) => focusAdded(event, () => put({ breaks: [...day.breaks, { from: 780, to: 840 }] }))}
              >
                Break
              </Button>
            </div>
          )}
        </div>
      ) : (
        <span className={classes(text['note'], styles['closed'])}>Closed</span>
      )}
    </fieldset>
  )
}

function TimeRange({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: { from: number; to: number }
  options: typeof workingTimes
  onChange: (patch: { from?: number; to?: number }) => void
}) {
  return (
    <div className={styles['span']}>
      <Select
        label={`${label}, from`}
        isLabelHidden
        value={String(value.from)}
        options={options}
        onChange={(from) => onChange({ from: Number(from) })}
      />
      <span aria-hidden="true">to</span>
      <Select
        label={`${label}, to`}
        isLabelHidden
        value={String(value.to)}
        options={options}
        onChange={(to) => onChange({ to: Number(to) })}
      />
    </div>
  )
}

function BlockRow({ block, onChange }: { block: BlockInput; onChange: (block: BlockInput | undefined) => void }) {
  const isWholeDay = block.from === 0 && block.to === 1440
  return (
    <div className={styles['block']}>
      <FirstDayPicker
        label="First day"
        value={block.firstDay}
        lastDay={block.lastDay}
        onChange={(firstDay, lastDay) =>
          firstDay !== null &&
          onChange({ ...block, firstDay, lastDay: lastDay === null || lastDay < firstDay ? firstDay : lastDay })
        }
      />
      <DatePicker
        label="Last day"
        value={block.lastDay}
        min={block.firstDay}
        onChange={(lastDay) => lastDay !== null && onChange({ ...block, lastDay })}
      />
      <div className={styles['hours']}>
        <Switch
          on={isWholeDay}
          onChange={(whole) => onChange({ ...block, ...(whole ? { from: 0, to: 1440 } : { from: 780, to: 1080 }) })}
        >
          Whole days
        </Switch>
        {!isWholeDay && (
          <TimeRange
            label="Blocked hours"
            value={block}
            options={dayTimes}
            onChange={(patch) => onChange({ ...block, ...patch })}
          />
        )}
      </div>
      <IconButton
        label={`Remove the days off from ${dayTitle(parseDate(block.firstDay))}`}
        onPress={() => onChange(undefined)}
      >
        <X />
      </IconButton>
    </div>
  )
}
