import { zoneLabel } from '@flashsheet/contracts/time'
import { appointmentStatuses, type TimeSlot } from '@flashsheet/contracts/appointments/limits'
import { statusNames } from '@flashsheet/contracts/appointments/messages'
import type { Availability } from '@flashsheet/contracts/appointments/schema'
import { parseDate } from '@internationalized/date'
import { CalendarPlus, Clock, Plus } from 'lucide-react'
import { useCallback, useState } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { viewerZone } from '../../lib/format.ts'
import { trpc, type RouterOutputs } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useDialog } from '../../lib/use-dialog.ts'
import { CalendarLegend } from '../calendar/calendar-status-icons.tsx'
import { CalendarScreen, useCalendarPosition } from '../calendar/calendar-screen.tsx'
import { AppointmentDialog } from './appointment-dialog.tsx'
import { appointmentMarkup, appointmentNouns, appointmentsCalendar } from './appointment-entries.ts'
import { AppointmentDays, AppointmentList } from './appointment-list.tsx'
import { shadeOf } from './closed-hours.ts'
import { slotAround } from './move-appointment.ts'
import { BookingHoursDialog } from './booking-hours-dialog.tsx'
import text from '../../ui/text.module.css'
import styles from './appointments-screen.module.css'
import { ReadOnlyAppointments } from './read-only-appointments.tsx'
import { CreateAppointmentDialog } from './create-appointment-dialog.tsx'
import { SpamRequests } from './spam-requests.tsx'
import { useAppointments } from './use-appointments.ts'
import { useMoveAppointment } from './use-move-appointment.ts'

/** The calendar of appointments in the studio's time zone. `linked` is the id of an appointment in the address, which is opened. */
export function AppointmentsScreen({ linked, onUnlink }: { linked: string | undefined; onUnlink: () => void }) {
  const position = useCalendarPosition(appointmentsCalendar)
  const { day, days, setPosition } = position
  const rules = trpc.appointments.availability.useQuery(undefined, { staleTime: 60_000 })
  const timeZone = rules.data?.timeZone
  const zone = timeZone ?? viewerZone()
  const domainName = trpc.website.site.useQuery(undefined, { staleTime: 60_000 }).data?.personalInfo.domainName ?? ''
  const { entries, loading, ...appointments } = useAppointments(days, timeZone)
  // The sections below the calendar are rendered after its first entries, which set its height, to avoid a layout shift.
  const [arrived, setArrived] = useState(false)
  if (!loading && !arrived) setArrived(true)
  const dragging = useMoveAppointment(entries, zone)
  const opened = useDialog<string>()
  const [followed, setFollowed] = useState<string>()
  if (linked !== followed) {
    setFollowed(linked)
    if (linked !== undefined) opened.show(linked)
  }
  const creating = useDialog<{ day: string; timeSlot: TimeSlot | null }>()
  const hours = useDialog()

  const create = (on: string = day.toString(), timeSlot: TimeSlot | null = null) => creating.show({ day: on, timeSlot })
  const worked = rules.data
  const shade = useCallback((on: string) => (worked ? shadeOf(on, worked) : 'none'), [worked])
  const error = rules.error ?? appointments.error

  if (error && failureOf(error, '').code === 'plan') return <ReadOnlyAppointments />
  const nothing = (look: 'framed' | 'bare' = 'framed') => (
    <EmptyState
      look={look}
      icon={<CalendarPlus />}
      title="No appointments in this time"
      action={
        <Button variant="primary" icon={<Plus />} onPress={() => create()}>
          New appointment
        </Button>
      }
    >
      <p>What clients book on your site shows up here, and what you add yourself.</p>
    </EmptyState>
  )

  return (
    <CalendarScreen
      position={position}
      entries={entries}
      timeZone={timeZone}
      loading={loading}
      error={error}
      onRetry={() => {
        appointments.retry()
        if (rules.isError) void rules.refetch()
      }}
      stopped={appointments.stopped}
      onAgain={appointments.again}
      nouns={appointmentNouns}
      states={appointmentStatuses}
      legend={<CalendarLegend states={appointmentStatuses} words={statusNames} />}
      markup={appointmentMarkup}
      dragging={dragging}
      list={(some) => <AppointmentList entries={some} onOpen={opened.show} />}
      dayList={(some, key) => <AppointmentDays key={key} entries={some} onOpen={opened.show} timeZone={zone} />}
      nothing={nothing}
      onOpen={opened.show}
      onFree={({ day: on, minutes }) => create(on, minutes === null ? null : slotAround(minutes))}
      shadeOf={shade}
      onExpect={appointments.expect}
      side={
        <div className={styles['actions']}>
          {timeZone !== undefined && timeZone !== viewerZone() && (
            <p className={text['note']}>Times are your studio’s: {zoneLabel(timeZone)}.</p>
          )}
          <Button size="small" icon={<Clock />} isDisabled={timeZone === undefined} onPress={() => hours.show()}>
            Booking hours
          </Button>
          <Button
            variant="primary"
            size="small"
            icon={<Plus />}
            isDisabled={timeZone === undefined}
            onPress={() => create()}
          >
            New appointment
          </Button>
        </div>
      }
    >
      {arrived && timeZone !== undefined && <SpamRequests timeZone={timeZone} />}
      {hours.wasShown && rules.data && (
        <BookingHoursDialog
          key={hours.key}
          rules={rulesOf(rules.data)}
          timeZone={rules.data.timeZone}
          open={hours.open}
          onClose={hours.close}
        />
      )}
      {opened.about !== undefined && timeZone !== undefined && (
        <AppointmentDialog
          key={opened.key}
          id={opened.about}
          timeZone={timeZone}
          open={opened.open}
          onClose={() => {
            opened.close()
            if (linked !== undefined) onUnlink()
          }}
        />
      )}
      {creating.about && timeZone !== undefined && (
        <CreateAppointmentDialog
          key={creating.key}
          {...creating.about}
          timeZone={timeZone}
          domainName={domainName}
          open={creating.open}
          onClose={creating.close}
          onMade={(on) => {
            creating.close()
            setPosition({ day: parseDate(on) })
          }}
        />
      )}
    </CalendarScreen>
  )
}

function rulesOf({
  timeZone: _zone,
  isSet: _isSet,
  ...rules
}: RouterOutputs['appointments']['availability']): Availability {
  return rules
}
