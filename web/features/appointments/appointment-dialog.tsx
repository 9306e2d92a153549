import { dialledNumber } from '@flashsheet/contracts/phone'
import { zoneLabel } from '@flashsheet/contracts/time'
import { appointmentLimits, appointmentStatuses } from '@flashsheet/contracts/appointments/limits'
import { appointmentMessages, statusNames } from '@flashsheet/contracts/appointments/messages'
import type { Appointment } from '@flashsheet/contracts/appointments/schema'
import { useMutation } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { deletionHandlers } from '../../lib/deletion-handlers.ts'
import { failureOf } from '../../lib/failure.ts'
import { formatScheduled } from '../../lib/format.ts'
import { useUnsentText } from '../../lib/session-end.ts'
import { toastFailure } from '../../lib/toast-failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { useIsMounted } from '../../lib/use-is-mounted.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { Alert } from '../../ui/alert.tsx'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { DatePicker } from '../../ui/date-picker.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { timeOf } from '../calendar/calendar-entry.ts'
import { entryOrCalendar } from '../calendar/calendar-focus.ts'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { toast } from '../../ui/toast.tsx'
import { type AppointmentEdit, clientOf, dayIn, editOf } from './appointment-entries.ts'
import layout from '../../ui/layout.module.css'
import styles from './appointment-form.module.css'
import { ConflictAlert } from './conflict-alert.tsx'
import { instantAt } from './move-appointment.ts'
import { ChangedElsewhereAlert, useChangedElsewhere } from '../parts/changed-elsewhere.tsx'
import { PendingQuery } from '../parts/pending-query.tsx'
import { useSlotOptions } from './slot-options.ts'
import { useUpdateAppointment } from './use-update-appointment.ts'

export type AppointmentDialogProps = { id: string; timeZone: string; open: boolean; onClose: () => void }

/** Edits or deletes an appointment, and answers a client's request. */
export function AppointmentDialog({ id, ...props }: AppointmentDialogProps) {
  const query = trpc.appointments.get.useQuery({ id })
  const appointment = query.data
  const isGone = query.error !== null && failureOf(query.error, '').code === 'notFound'
  if (appointment) return <AppointmentForm key={appointment._id} appointment={appointment} isGone={isGone} {...props} />
  const { open, onClose } = props
  return (
    <Dialog open={open} onClose={onClose} title="Appointment" steady actions={<Button onPress={onClose}>Close</Button>}>
      {isGone ? (
        <Alert tone="danger" live title={appointmentMessages.gone} />
      ) : (
        <PendingQuery query={query} label="Loading appointment" failed="This appointment could not be loaded">
          <div className={layout['stack-4']}>
            <Skeleton width="half" />
            <Skeleton shape="block" />
            <Skeleton shape="block" />
          </div>
        </PendingQuery>
      )}
    </Dialog>
  )
}

function AppointmentForm({
  appointment,
  isGone,
  timeZone,
  open,
  onClose,
}: Omit<AppointmentDialogProps, 'id'> & {
  appointment: Appointment
  /** Deleted elsewhere while the dialog was open: what was typed stays readable, and cannot be saved. */
  isGone: boolean
}) {
  const utils = trpc.useUtils()
  const isMounted = useIsMounted()
  // Holds edited fields only, so that the other fields show, and keep, what was changed elsewhere.
  const [changed, setChanged] = useState<Partial<AppointmentEdit>>()
  const form = `appointment ${appointment._id}`
  const unsaved = open ? changed : undefined
  useUnsentText(form, unsaved, setChanged)
  const [isConfirming, setIsConfirming] = useState(false)
  const edit = { ...editOf(appointment, timeZone), ...changed }
  // An appointment that was made in another time zone may begin between the slots of this one.
  const isAtSlot =
    changed?.date !== undefined ||
    changed?.timeSlot !== undefined ||
    instantAt({ day: edit.date, timeSlot: edit.timeSlot }, timeZone) === Date.parse(appointment.date)
  const change = (patch: Partial<AppointmentEdit>) => {
    setChanged({ ...changed, ...patch })
    update.reset()
  }
  const finish = (message: string) => {
    void utils.appointments.list.invalidate()
    toast.success(message)
    onClose()
  }
  const update = useMutation({
    mutationFn: useUpdateAppointment(timeZone),
    onSuccess: (saved) => {
      utils.appointments.get.setData({ id: saved._id }, saved)
      setChanged(undefined)
      finish(appointmentMessages.updated)
    },
    onError: async (error) => {
      toastFailure(error, appointmentMessages.updateFailed, ({ code }) => code === 'conflict' && isMounted())
      if (failureOf(error, '').code === 'notFound') await utils.appointments.get.invalidate({ id: appointment._id })
    },
  })
  const remove = trpc.appointments.remove.useMutation(
    deletionHandlers(
      () => finish(appointmentMessages.deleted),
      (error) => {
        setIsConfirming(false)
        toastFailure(error, appointmentMessages.deleteFailed)
      },
    ),
  )
  const slots = useSlotOptions(edit.date, timeZone, { ownId: appointment._id })
  const elsewhere = useChangedElsewhere(form, unsaved ?? {}, editOf(appointment, timeZone))
  const showOthers = () => {
    const others = Object.entries(changed ?? {}).filter(([field]) => !elsewhere.fields.includes(field))
    setChanged(others.length > 0 ? Object.fromEntries(others) : undefined)
  }
  const { isSaving } = elsewhere
  const save = useSingleFlight(async (answer?: Pick<AppointmentEdit, 'status'>) => {
    const { _id: id } = appointment
    await elsewhere.saveAfter(utils.appointments.get.fetch({ id }, { staleTime: 0 }), async (now) => {
      if (now && answer && now.answerBy === null) {
        // The response to the same answer may have been lost.
        if (now.status === answer.status) finish(appointmentMessages.updated)
        else toast.warning(appointmentMessages.answered)
      } else if (!now || !elsewhere.stopsFor(editOf(now, timeZone)))
        await update.mutateAsync({ id, ...changed, ...answer })
    })
  })

  return (
    <>
      <Dialog
        open={open}
        onClose={onClose}
        title="Appointment"
        steady
        unsaved={unsaved !== undefined}
        busy={isSaving}
        focusAfter={() => entryOrCalendar(appointment._id)}
        actions={
          isGone ? (
            <Button onPress={onClose}>Close</Button>
          ) : changed ? (
            <>
              <Button onPress={onClose} isDisabled={isSaving}>
                Cancel
              </Button>
              <Button variant="primary" onPress={() => save()} pending={isSaving} pendingLabel="Saving...">
                Save changes
              </Button>
            </>
          ) : appointment.answerBy === null ? (
            <Button onPress={onClose}>Close</Button>
          ) : (
            <>
              <Button isDisabled={isSaving} onPress={() => save({ status: 'cancelled' })}>
                Decline
              </Button>
              <Button variant="primary" pending={isSaving} onPress={() => save({ status: 'confirmed' })}>
                Accept
              </Button>
            </>
          )
        }
      >
        <div className={layout['stack-4']}>
          {isGone && <Alert tone="danger" live title={appointmentMessages.gone} />}
          {!isGone && appointment.answerBy !== null && (
            <Alert tone="info" title={`${clientOf(appointment)} asks for this time`}>
              <p>Unless you answer by {formatScheduled(appointment.answerBy, timeZone)}, the request is cancelled.</p>
            </Alert>
          )}
          {!isGone && !isSaving && elsewhere.fields.length > 0 && (
            <ChangedElsewhereAlert onShow={showOthers} isStopped={elsewhere.isStopped} />
          )}
          <ConflictAlert
            error={update.error}
            timeZone={timeZone}
            onPick={(time) => change({ date: dayIn(time.date, timeZone), timeSlot: time.timeSlot })}
          />
          <ClientDetails appointment={appointment} timeZone={timeZone} />
          <Select
            label="Status"
            value={edit.status}
            onChange={(status) => change({ status })}
            options={appointmentStatuses.toReversed().map((value) => ({ value, label: statusNames[value] }))}
          />
          <div className={styles['pair']}>
            <DatePicker label="Date" value={edit.date} onChange={(date) => date !== null && change({ date })} />
            <Select
              label="Time slot"
              description={zoneLabel(timeZone)}
              value={isAtSlot ? edit.timeSlot : null}
              placeholder={timeOf(Date.parse(appointment.date), timeZone)}
              onChange={(timeSlot) => change({ timeSlot })}
              options={slots}
            />
          </div>
          <TextArea
            label="Notes"
            rows={3}
            max={appointmentLimits.notes}
            value={edit.notes}
            onChange={(notes) => change({ notes })}
          />
          <div>
            <Button
              variant="quiet"
              size="small"
              icon={<Trash2 />}
              onPress={() => setIsConfirming(true)}
              isDisabled={isSaving || isGone}
            >
              Delete appointment
            </Button>
          </div>
        </div>
      </Dialog>
      <AlertDialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title="Delete this appointment?"
        action="Delete"
        pendingLabel="Deleting..."
        pending={remove.isPending}
        onAction={() => remove.mutate({ id: appointment._id })}
      >
        <p>
          The appointment of <bdi>{clientOf(appointment)}</bdi> on {formatScheduled(appointment.date, timeZone)} will be
          gone for good.
          {appointment.contact.email !== '' && ' If it has not taken place yet, your client gets an email.'}
        </p>
      </AlertDialog>
    </>
  )
}

function ClientDetails({ appointment, timeZone }: { appointment: Appointment; timeZone: string }) {
  const { contact } = appointment
  return (
    <div>
      <dl className={styles['facts']}>
        <dt>Client</dt>
        <dd>
          <bdi>{clientOf(appointment)}</bdi>
        </dd>
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
        {contact.phone && <a href={`tel:${dialledNumber(contact.phone)}`}>Call {contact.phone}</a>}
        {contact.phone && <a href={`sms:${dialledNumber(contact.phone)}`}>Text</a>}
      </div>
    </div>
  )
}
