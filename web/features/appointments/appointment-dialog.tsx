import { zoneLabel } from '@flashsheet/contracts/time'
import {
  appointmentLimits,
  type AppointmentStatus,
  appointmentStatuses,
  type TimeSlot,
} from '@flashsheet/contracts/appointments/limits'
import { appointmentMessages, statusNames } from '@flashsheet/contracts/appointments/messages'
import type { Appointment } from '@flashsheet/contracts/appointments/schema'
import { parseDate } from '@internationalized/date'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { formatScheduled } from '../../lib/format.ts'
import { useUnsentText } from '../../lib/session-end.ts'
import { toastFailure } from '../../lib/toast-failure.ts'
import { trpc, type RouterInputs } from '../../lib/trpc.ts'
import { Alert } from '../../ui/alert.tsx'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { DatePicker } from '../../ui/date-picker.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { entryOrCalendar } from '../calendar/calendar-focus.ts'
import { Select } from '../../ui/select.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { toast } from '../../ui/toast.tsx'
import { instantsOf } from '../calendar/calendar-range.ts'
import { clientOf, dayIn } from './appointment-entries.ts'
import layout from '../../ui/layout.module.css'
import styles from './appointment-form.module.css'
import { ClashAlert } from './clash-alert.tsx'
import { nextFreeTimes } from './next-free-times.ts'
import { slotOptions } from './slot-options.ts'

export type AppointmentDialogProps = { id: string; timeZone: string; open: boolean; onClose: () => void }

/** Edits or deletes an appointment, and answers a client's request. */
export function AppointmentDialog({ id, timeZone, open, onClose }: AppointmentDialogProps) {
  const known = trpc.appointments.get.useQuery({ id })
  const appointment = known.data
  if (appointment)
    return <Details key={appointment._id} appointment={appointment} timeZone={timeZone} open={open} onClose={onClose} />
  const failure = known.error && failureOf(known.error, 'This appointment could not be loaded')
  return (
    <Dialog open={open} onClose={onClose} title="Appointment" steady actions={<Button onPress={onClose}>Close</Button>}>
      {failure ? (
        <Alert
          tone="danger"
          live
          title={failure.code === 'notFound' ? 'This appointment no longer exists.' : failure.message}
          {...(failure.code === 'notFound'
            ? {}
            : {
                action: (
                  <Button size="small" onPress={() => void known.refetch()}>
                    Try again
                  </Button>
                ),
              })}
        >
          {failure.detail}
        </Alert>
      ) : (
        <Loading label="Loading appointment">
          <div className={layout['stack-4']}>
            <Skeleton width="half" />
            <Skeleton shape="block" />
            <Skeleton shape="block" />
          </div>
        </Loading>
      )}
    </Dialog>
  )
}

type Edit = { status: AppointmentStatus; date: string; timeSlot: TimeSlot; notes: string }

const editOf = (one: Appointment, timeZone: string): Edit => ({
  status: one.status,
  date: dayIn(one.date, timeZone),
  timeSlot: one.timeSlot,
  notes: one.notes,
})

function Details({
  appointment,
  timeZone,
  open,
  onClose,
}: {
  appointment: Appointment
  timeZone: string
  open: boolean
  onClose: () => void
}) {
  const utils = trpc.useUtils()
  const [changed, setChanged] = useState<Edit>()
  useUnsentText(`appointment ${appointment._id}`, changed, setChanged)
  const [asking, setAsking] = useState(false)
  const edit = changed ?? editOf(appointment, timeZone)
  const put = (patch: Partial<Edit>) => {
    setChanged({ ...edit, ...patch })
    update.reset()
  }
  const done = (message: string) => {
    void utils.appointments.list.invalidate()
    toast.success(message)
    onClose()
  }
  const update = trpc.appointments.update.useMutation({
    onSuccess: (saved) => {
      utils.appointments.get.setData({ id: saved._id }, saved)
      setChanged(undefined)
      done(appointmentMessages.updated)
    },
    onError: (error) => {
      const failure = failureOf(error, appointmentMessages.updateFailed)
      if (failure.code !== 'conflict') toast.error(failure.message, failure.detail)
    },
  })
  const remove = trpc.appointments.remove.useMutation({
    onSuccess: () => done(appointmentMessages.deleted),
    onError: (error) => {
      setAsking(false)
      toastFailure(error, appointmentMessages.deleteFailed)
    },
  })
  const clash = update.error && failureOf(update.error, '').code === 'conflict' ? update.error : null
  const day = parseDate(edit.date)
  const taken =
    trpc.appointments.list.useQuery(instantsOf({ from: day, to: day.add({ days: 1 }) }, timeZone)).data ?? []
  const before = editOf(appointment, timeZone)
  const save = (patch: Partial<Edit> = {}) => {
    const wanted = { ...edit, ...patch }
    const input: RouterInputs['appointments']['update'] = {
      id: appointment._id,
      status: wanted.status,
      notes: wanted.notes,
    }
    // An unchanged time is not sent: sending it would undo a change that is being made elsewhere.
    const isMoved = wanted.date !== before.date || wanted.timeSlot !== before.timeSlot
    update.mutate(isMoved ? { ...input, date: wanted.date, timeSlot: wanted.timeSlot } : input)
  }

  return (
    <>
      <Dialog
        open={open}
        onClose={onClose}
        title="Appointment"
        steady
        busy={update.isPending}
        focusAfter={() => entryOrCalendar(appointment._id)}
        actions={
          changed ? (
            <>
              <Button onPress={onClose} isDisabled={update.isPending}>
                Cancel
              </Button>
              <Button variant="primary" onPress={() => save()} pending={update.isPending} pendingLabel="Saving...">
                Save changes
              </Button>
            </>
          ) : appointment.answerBy === null ? (
            <Button onPress={onClose}>Close</Button>
          ) : (
            <>
              <Button isDisabled={update.isPending} onPress={() => save({ status: 'cancelled' })}>
                Decline
              </Button>
              <Button variant="primary" pending={update.isPending} onPress={() => save({ status: 'confirmed' })}>
                Accept
              </Button>
            </>
          )
        }
      >
        <div className={layout['stack-4']}>
          {appointment.answerBy !== null && (
            <Alert tone="info" title={`${clientOf(appointment)} asks for this time`}>
              <p>Unless you answer by {formatScheduled(appointment.answerBy, timeZone)}, the request is cancelled.</p>
            </Alert>
          )}
          {clash && (
            <ClashAlert
              message={failureOf(clash, '').message}
              next={nextFreeTimes(clash)}
              timeZone={timeZone}
              onPick={(time) => put({ date: dayIn(time.date, timeZone), timeSlot: time.timeSlot })}
            />
          )}
          <Facts appointment={appointment} timeZone={timeZone} />
          <Select
            label="Status"
            value={edit.status}
            onChange={(status) => put({ status })}
            options={appointmentStatuses.toReversed().map((value) => ({ value, label: statusNames[value] }))}
          />
          <div className={styles['pair']}>
            <DatePicker label="Date" value={edit.date} onChange={(date) => date !== null && put({ date })} />
            <Select
              label="Time slot"
              description={zoneLabel(timeZone)}
              value={edit.timeSlot}
              onChange={(timeSlot) => put({ timeSlot })}
              options={slotOptions(taken, edit.date, timeZone, appointment._id)}
            />
          </div>
          <TextArea
            label="Notes"
            rows={3}
            max={appointmentLimits.notes}
            value={edit.notes}
            onChange={(notes) => put({ notes })}
          />
          <div>
            <Button
              variant="quiet"
              size="small"
              icon={<Trash2 />}
              onPress={() => setAsking(true)}
              isDisabled={update.isPending}
            >
              Delete appointment
            </Button>
          </div>
        </div>
      </Dialog>
      <AlertDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Delete this appointment?"
        action="Delete"
        pendingLabel="Deleting..."
        pending={remove.isPending}
        onAction={() => remove.mutate({ id: appointment._id })}
      >
        <p>
          The appointment of {clientOf(appointment)} on {formatScheduled(appointment.date, timeZone)} will be gone for
          good.
          {appointment.contact.email !== '' && ' If it is still ahead, your client gets an email.'}
        </p>
      </AlertDialog>
    </>
  )
}

function Facts({ appointment, timeZone }: { appointment: Appointment; timeZone: string }) {
  const { contact } = appointment
  return (
    <div>
      <dl className={styles['facts']}>
        <dt>Client</dt>
        <dd>{clientOf(appointment)}</dd>
        <dt>Booking</dt>
        <dd>
          {appointment.bookingType}, until {formatScheduled(appointment.endsAt, timeZone).split(', ')[1]}
        </dd>
        <dt>Site</dt>
        <dd>{appointment.domainName}</dd>
      </dl>
      <div className={styles['ways']}>
        {contact.email && (
          <a href={`mailto:${encodeURIComponent(contact.email).replaceAll('%40', '@')}`}>{contact.email}</a>
        )}
        {contact.phone && <a href={`tel:${contact.phone.replaceAll(/[^\d+]/g, '')}`}>Call {contact.phone}</a>}
        {contact.phone && <a href={`sms:${contact.phone.replaceAll(/[^\d+]/g, '')}`}>Text</a>}
      </div>
    </div>
  )
}
