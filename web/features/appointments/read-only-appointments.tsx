import { zoneLabel } from '@flashsheet/contracts/time'
import { studioPlan } from '@flashsheet/contracts/plans'
import { statusNames } from '@flashsheet/contracts/appointments/messages'
import type { Appointment } from '@flashsheet/contracts/appointments/schema'
import { CalendarPlus } from 'lucide-react'
import { formatScheduled } from '../../lib/format.ts'
import { trpc } from '../../lib/trpc.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFailed } from '../parts/pending-query.tsx'
import { useStudioZone } from '../parts/use-studio-zone.ts'
import { useClosedScreen } from '../subscription/use-closed-screen.ts'
import { clientOf } from './appointment-entries.ts'
import layout from '../../ui/layout.module.css'
import styles from './read-only-appointments.module.css'

/** /appointments if the plan includes no bookings: an offer, and a read-only list of upcoming appointments made before a downgrade. */
export function ReadOnlyAppointments() {
  const kept = trpc.appointments.kept.useQuery()
  const upcoming = kept.data
  useClosedScreen('studio')
  const timeZone = useStudioZone().data?.timeZone
  return (
    <div className={layout['stack-6']}>
      <EmptyState
        icon={<CalendarPlus />}
        title={`Appointments come with ${studioPlan.name}`}
        action={
          <ButtonLink to="/subscription" variant="primary">
            View plans
          </ButtonLink>
        }
      >
        <p>With it you get your own website, where clients book your free times.</p>
      </EmptyState>
      {kept.error && !upcoming && <LoadFailed query={kept} failed="Your upcoming appointments could not be loaded." />}
      {upcoming && upcoming.length > 0 && (
        <Card
          title="Upcoming appointments"
          note="These stay booked, and your clients still get their reminders. To change one here, subscribe to the plan again."
          padding="none"
        >
          <ul className={styles['list']}>
            {upcoming.map((one) => (
              <AppointmentRow key={one._id} appointment={one} zone={timeZone} />
            ))}
          </ul>
        </Card>
      )}
    </div>
  )
}

function AppointmentRow({ appointment, zone }: { appointment: Appointment; zone: string | undefined }) {
  const { contact, bookingType, status, date } = appointment
  const client = clientOf(appointment)
  const contacts = [contact.email, contact.phone].filter((way) => way !== '' && way !== client).join(' · ')
  return (
    <li className={styles['row']}>
      <span className={styles['when']}>
        {formatScheduled(date, zone)}
        {zone && <small>{zoneLabel(zone)}</small>}
      </span>
      <span className={styles['who']}>
        <strong>{client}</strong>
        <small>
          {bookingType}
          {contacts && ` · ${contacts}`}
        </small>
      </span>
      <Badge tone={status === 'confirmed' ? 'scheduled' : 'pending'}>{statusNames[status]}</Badge>
    </li>
  )
}
