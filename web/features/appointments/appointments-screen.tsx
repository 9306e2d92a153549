import { appointmentStatuses, statusNames, type Availability } from '@flashsheet/contracts/appointments'
import { parseDate } from '@internationalized/date'
import { useQuery } from '@tanstack/react-query'
import { CalendarPlus, Clock, Plus } from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { viewerZone, zoneLabel } from '../../lib/format.ts'
import { trpc, type RouterOutputs } from '../../lib/trpc.ts'
import { phoneWidth, useMediaQuery } from '../../lib/use-media-query.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { gridCode } from '../calendar/calendar-code.ts'
import { useKeptStanding } from '../calendar/calendar-kept.ts'
import { CalendarLegend, CalendarMarks } from '../calendar/calendar-marks.tsx'
import { CalendarPhone, daysOnPhone } from '../calendar/calendar-phone.tsx'
import { dayTitle, turn, visibleDays } from '../calendar/calendar-range.ts'
import { GridGhost, ListGhost } from '../calendar/calendar-skeleton.tsx'
import { CalendarToolbar } from '../calendar/calendar-toolbar.tsx'
import { AppointmentDialog } from './appointment-dialog.tsx'
import { appointmentMarkup, appointmentNouns, appointmentsCalendar } from './appointment-entries.ts'
import { AppointmentDays, AppointmentList } from './appointment-list.tsx'
import { BookingHoursDialog } from './booking-hours-dialog.tsx'
import styles from './appointments-screen.module.css'
import { KeptAppointments } from './kept-appointments.tsx'
import { CreateAppointmentDialog } from './create-appointment-dialog.tsx'
import { SetAsideList } from './set-aside-list.tsx'
import { useAppointments } from './use-appointments.ts'
import { useMoveAppointment } from './use-move-appointment.ts'

/** The calendar of appointments, in the studio's time (spec 2). `linked` is one the address names: it is opened. */
export function AppointmentsScreen({ linked, onUnlink }: { linked: string | undefined; onUnlink: () => void }) {
  const phone = useMediaQuery(phoneWidth)
  const rules = trpc.appointments.availability.useQuery(undefined, { staleTime: 60_000 })
  const timeZone = rules.data?.timeZone
  const zone = timeZone ?? viewerZone()
  const domainName = trpc.website.site.useQuery(undefined, { staleTime: 60_000 }).data?.personalInfo.domainName ?? ''
  const { view, day, stand } = useKeptStanding(appointmentsCalendar)
  const days = phone ? daysOnPhone(view, day) : visibleDays(view, day)
  const { entries, loading, ...appointments } = useAppointments(days, timeZone)
  // What stands below the calendar waits for its first entries, which set its height.
  const [arrived, setArrived] = useState(false)
  if (!loading && !arrived) setArrived(true)
  const dragging = useMoveAppointment(entries, zone)
  const [opened, setOpened] = useState<{ id: string; open: boolean; times: number }>()
  const [followed, setFollowed] = useState<string>()
  if (linked !== followed) {
    setFollowed(linked)
    if (linked !== undefined) setOpened((before) => ({ id: linked, open: true, times: (before?.times ?? 0) + 1 }))
  }
  const [creating, setCreating] = useState<{ day: string; open: boolean; times: number }>()
  const [hours, setHours] = useState<{ open: boolean; times: number }>()
  const [listed, setListed] = useState<{ day: string; open: boolean }>()
  const needsGrid = !phone && view !== 'agenda'
  const grid = useQuery({ ...gridCode, enabled: needsGrid })
  const Grid = grid.data

  const open = (id: string) => setOpened((before) => ({ id, open: true, times: (before?.times ?? 0) + 1 }))
  const create = (on: string = day.toString()) => setCreating((before) => ({ day: on, open: true, times: (before?.times ?? 0) + 1 }))
  const openDay = (date: string) => {
    setListed((before) => before && { ...before, open: false })
    stand({ view: 'day', day: parseDate(date) })
  }
  const turnPage = (by: -1 | 1) => stand({ day: turn(view, day, by) })
  const error = rules.error ?? appointments.error ?? (needsGrid ? grid.error : null)
  const failure = error && failureOf(error, 'Your appointments could not be loaded')
  const isEmpty = !loading && !failure && entries.length === 0

  if (failure?.code === 'plan') return <KeptAppointments />
  const nothing = (look: 'framed' | 'bare') => (
    <EmptyState
      look={look}
      icon={<CalendarPlus />}
      title="No appointments in this time"
      action={
        <Button variant="primary" icon={<Plus aria-hidden="true" />} onPress={() => create()}>
          New appointment
        </Button>
      }
    >
      <p>What clients book on your site stands here, and what you put in yourself.</p>
    </EmptyState>
  )

  return (
    <div className={styles['screen']}>
      <CalendarMarks />
      <CalendarToolbar view={view} day={day} onStand={stand} onExpect={appointments.expect} phone={phone} timeZone={zone} />
      <div className={styles['notes']}>
        <CalendarLegend states={appointmentStatuses} words={statusNames} />
        <div className={styles['actions']}>
          {timeZone !== undefined && timeZone !== viewerZone() && <p className={styles['zone']}>Times are your studio’s: {zoneLabel(timeZone)}.</p>}
          <Button
            size="small"
            icon={<Clock aria-hidden="true" />}
            isDisabled={timeZone === undefined}
            onPress={() => setHours((before) => ({ open: true, times: (before?.times ?? 0) + 1 }))}
          >
            Booking hours
          </Button>
          <Button variant="primary" size="small" icon={<Plus aria-hidden="true" />} isDisabled={timeZone === undefined} onPress={() => create()}>
            New appointment
          </Button>
        </div>
      </div>
      {appointments.stopped && (
        <Alert
          tone="warning"
          live
          title="The connection was lost, so what you see may be old."
          action={
            <Button size="small" onPress={appointments.again}>
              Try again
            </Button>
          }
        />
      )}
      {failure ? (
        <Alert
          tone="danger"
          live
          title={failure.message}
          action={
            <Button
              size="small"
              onPress={() => {
                appointments.retry()
                if (rules.isError) void rules.refetch()
                if (grid.isError) void grid.refetch()
              }}
            >
              Try again
            </Button>
          }
        >
          {failure.detail}
        </Alert>
      ) : phone && view !== 'agenda' ? (
        <CalendarPhone
          view={view}
          day={day}
          entries={entries}
          states={appointmentStatuses}
          nouns={appointmentNouns}
          timeZone={zone}
          loading={loading}
          list={(ofDay) => <AppointmentList entries={ofDay} onOpen={open} />}
          days={(ofWeek, key) => <AppointmentDays key={key} entries={ofWeek} onOpen={open} timeZone={zone} />}
          nothing={nothing('framed')}
          onDay={(next) => stand({ day: next })}
          onOpenDay={openDay}
          onTurn={turnPage}
        />
      ) : view === 'agenda' ? (
        loading ? (
          <ListGhost label="Loading appointments" />
        ) : isEmpty ? (
          nothing('framed')
        ) : (
          <AppointmentDays key={day.toString()} entries={entries} onOpen={open} timeZone={zone} />
        )
      ) : (
        <div className={styles['sheet']}>
          {Grid && timeZone !== undefined ? (
            <Grid
              view={view}
              day={day}
              entries={entries}
              markup={appointmentMarkup}
              nouns={appointmentNouns}
              timeZone={timeZone}
              loading={loading}
              onOpen={open}
              onApproach={() => {}}
              onMore={(date) => setListed({ day: date, open: true })}
              onOpenDay={openDay}
              onTurn={turnPage}
              dragging={dragging}
            />
          ) : (
            <GridGhost view={view} day={day} label="Loading appointments" />
          )}
          {isEmpty && <div className={styles['nothing']}>{nothing('bare')}</div>}
        </div>
      )}
      {arrived && timeZone !== undefined && <SetAsideList timeZone={timeZone} />}
      {hours && rules.data && <BookingHoursDialog key={hours.times} rules={rulesOf(rules.data)} timeZone={rules.data.timeZone} open={hours.open} onClose={() => setHours({ ...hours, open: false })} />}
      {listed && (
        <Dialog
          open={listed.open}
          onOpenChange={(next) => {
            if (!next) setListed({ ...listed, open: false })
          }}
          title={dayTitle(parseDate(listed.day))}
          actions={
            <>
              <Button onPress={() => setListed({ ...listed, open: false })}>Close</Button>
              <Button variant="ink" onPress={() => openDay(listed.day)}>
                Open this day
              </Button>
            </>
          }
        >
          <AppointmentList entries={entries.filter((entry) => entry.day === listed.day)} onOpen={open} />
        </Dialog>
      )}
      {opened && timeZone !== undefined && (
        <AppointmentDialog
          key={opened.times}
          id={opened.id}
          timeZone={timeZone}
          open={opened.open}
          onClose={() => {
            setOpened({ ...opened, open: false })
            if (linked !== undefined) onUnlink()
          }}
        />
      )}
      {creating && timeZone !== undefined && (
        <CreateAppointmentDialog
          key={creating.times}
          day={creating.day}
          timeZone={timeZone}
          domainName={domainName}
          open={creating.open}
          onClose={() => setCreating({ ...creating, open: false })}
          onMade={(on) => {
            setCreating({ ...creating, open: false })
            stand({ day: parseDate(on) })
          }}
        />
      )}
    </div>
  )
}

/** The rules alone, as they are saved. */
function rulesOf({ timeZone: _zone, ...rules }: RouterOutputs['appointments']['availability']): Availability {
  return rules
}
