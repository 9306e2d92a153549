import { isSameZone, zoneLabel } from '@flashsheet/contracts/time'
import { appointmentStatuses, type TimeSlot } from '@flashsheet/contracts/appointments/limits'
import { statusNames } from '@flashsheet/contracts/appointments/messages'
import { slotAround } from '@flashsheet/contracts/appointments/rules'
import { parseDate } from '@internationalized/date'
import { CalendarPlus, Clock, Plus } from 'lucide-react'
import { useCallback, useState } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { viewerZone } from '../../lib/format.ts'
import { trpc } from '../../lib/trpc.ts'
import { useIsMounted } from '../../lib/use-is-mounted.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useDialog } from '../../lib/use-dialog.ts'
import { CalendarLegend } from '../calendar/calendar-status-icons.tsx'
import { CalendarScreen, useCalendarPosition } from '../calendar/calendar-screen.tsx'
import { AppointmentDialog } from './appointment-dialog.tsx'
import { appointmentMarkup, appointmentNouns, appointmentsCalendar } from './appointment-entries.ts'
import { AppointmentList } from './appointment-list.tsx'
import { shadeOf } from './closed-hours.ts'
import { BookingHoursDialog } from './booking-hours-dialog.tsx'
import text from '../../ui/text.module.css'
import styles from './appointments-screen.module.css'
import { ReadOnlyAppointments } from './read-only-appointments.tsx'
import { CreateAppointmentDialog } from './create-appointment-dialog.tsx'
import { SpamRequests } from './spam-requests.tsx'
import { useAppointments } from './use-appointments.ts'
import { useMoveAppointment } from './use-move-appointment.ts'

/** The calendar of appointments in the studio's time zone. `linked`: the id of the appointment in the URL, whose dialog is opened. */
export function AppointmentsScreen({ linked, onUnlink }: { linked: string | undefined; onUnlink: () => void }) {
  const rules = trpc.appointments.availability.useQuery(undefined, { staleTime: 60_000 })
  const timeZone = rules.data?.timeZone
  const zone = timeZone ?? viewerZone()
  const position = useCalendarPosition(appointmentsCalendar, zone)
  const { day, days, setPosition } = position
  const domainName = trpc.website.site.useQuery(undefined, { staleTime: 60_000 }).data?.personalInfo.domainName ?? ''
  const appointments = useAppointments(days, timeZone)
  // What is below the calendar is rendered after its first entries, which determine its height. This avoids a layout shift.
  const [hasLoaded, setHasLoaded] = useState(false)
  if (!appointments.loading && !hasLoaded) setHasLoaded(true)
  const dragging = useMoveAppointment(appointments.entries, zone)
  const appointmentDialog = useDialog<string>()
  const [lastLinked, setFollowed] = useState<string>()
  if (linked !== lastLinked) {
    setFollowed(linked)
    if (linked !== undefined) appointmentDialog.show(linked)
  }
  const isMounted = useIsMounted()
  const createDialog = useDialog<{ day: string; timeSlot: TimeSlot | null }>()
  const hoursDialog = useDialog()

  const create = (on: string = day.toString(), timeSlot: TimeSlot | null = null) =>
    createDialog.show({ day: on, timeSlot })
  const availability = rules.data
  const shade = useCallback((on: string) => (availability ? shadeOf(on, availability) : 'none'), [availability])
  const refusal = rules.error ?? appointments.error

  if (refusal && failureOf(refusal, '').code === 'plan') return <ReadOnlyAppointments />
  const emptyState = (variant: 'framed' | 'bare' = 'framed') => (
    <EmptyState
      variant={variant}
      icon={<CalendarPlus />}
      title="No appointments in this period"
      action={
        <Button variant="primary" icon={<Plus />} onPress={() => create()}>
          New appointment
        </Button>
      }
    >
      <p>Bookings from your site and appointments that you add yourself show up here.</p>
    </EmptyState>
  )

  return (
    <CalendarScreen
      {...appointments}
      position={position}
      timeZone={timeZone}
      // Hours that were loaded stay usable if they cannot be loaded again.
      error={rules.data ? appointments.error : rules.error}
      retry={() => {
        appointments.retry()
        if (rules.isError) void rules.refetch()
      }}
      nouns={appointmentNouns}
      states={appointmentStatuses}
      legend={<CalendarLegend states={appointmentStatuses} labels={statusNames} />}
      markup={appointmentMarkup}
      dragging={dragging}
      list={(some) => <AppointmentList entries={some} onOpen={appointmentDialog.show} />}
      emptyState={emptyState}
      onOpen={appointmentDialog.show}
      onPlan={({ day: on, minutes }) => create(on, minutes === null ? null : slotAround(minutes))}
      shadeOf={shade}
      actions={
        <div className={styles['actions']}>
          {timeZone !== undefined && !isSameZone(timeZone, viewerZone()) && (
            <p className={text['note']}>Times are your studio’s: {zoneLabel(timeZone)}.</p>
          )}
          <Button size="small" icon={<Clock />} isDisabled={timeZone === undefined} onPress={() => hoursDialog.show()}>
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
      {hasLoaded && timeZone !== undefined && <SpamRequests timeZone={timeZone} />}
      {hoursDialog.wasShown && rules.data && (
        <BookingHoursDialog
          key={hoursDialog.key}
          stored={rules.data}
          open={hoursDialog.open}
          onClose={hoursDialog.close}
        />
      )}
      {appointmentDialog.about !== undefined && timeZone !== undefined && (
        <AppointmentDialog
          key={appointmentDialog.key}
          id={appointmentDialog.about}
          timeZone={timeZone}
          open={appointmentDialog.open}
          onClose={() => {
            appointmentDialog.close()
            // A save may end after the screen was left.
            if (linked !== undefined && isMounted()) onUnlink()
          }}
        />
      )}
      {createDialog.about && timeZone !== undefined && (
        <CreateAppointmentDialog
          key={createDialog.key}
          {...createDialog.about}
          timeZone={timeZone}
          domainName={domainName}
          open={createDialog.open}
          onClose={createDialog.close}
          onCreated={(on) => {
            createDialog.close()
            setPosition({ day: parseDate(on) })
          }}
        />
      )}
    </CalendarScreen>
  )
}
