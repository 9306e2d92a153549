import { zoneLabel } from '@flashsheet/contracts/time'
import {
  appointmentLimits,
  type BookingType,
  bookingTypes,
  type TimeSlot,
} from '@flashsheet/contracts/appointments/limits'
import { appointmentMessages } from '@flashsheet/contracts/appointments/messages'
import { type ContactInput, CreateAppointmentInput } from '@flashsheet/contracts/appointments/schema'
import { useState } from 'react'
import { toastFailure } from '../../lib/toast-failure.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { useUnsentText } from '../../lib/session-end.ts'
import { trpc } from '../../lib/trpc.ts'
import { useIsMounted } from '../../lib/use-is-mounted.ts'
import { newUuid } from '../../lib/uuid.ts'
import { fieldErrors } from '../../lib/validation.ts'
import { DatePicker } from '../../ui/date-picker.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Select } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { useForm } from '../../ui/use-form.ts'
import { currentDay } from '../calendar/calendar-range.ts'
import { dayIn } from './appointment-entries.ts'
import styles from './appointment-form.module.css'
import { ConflictAlert } from './conflict-alert.tsx'
import { useSlotOptions } from './slot-options.ts'

type Values = ContactInput & {
  domainName: string
  bookingType: BookingType
  timeSlot: TimeSlot | null
  date: string | null
  notes: string
}

const requestOf = ({ name, email, phone, ...rest }: Values) => ({ ...rest, contact: { name, email, phone } })

/** Converts paths of the request (`contact.email`) to field names of the form (`email`). */
const formErrors = (errors: Record<string, string> | undefined) =>
  Object.fromEntries(Object.entries(errors ?? {}).map(([field, message]) => [field.replace('contact.', ''), message]))

export type CreateAppointmentDialogProps = {
  day: string
  /** The slot that was clicked in the calendar. */
  timeSlot: TimeSlot | null
  timeZone: string
  domainName: string
  open: boolean
  onClose: () => void
  onCreated: (day: string) => void
}

export function CreateAppointmentDialog({
  day,
  timeSlot: initialSlot,
  timeZone,
  domainName,
  open,
  onClose,
  onCreated,
}: CreateAppointmentDialogProps) {
  const [requestId] = useState(newUuid)
  const today = currentDay(timeZone).toString()
  // The name of the own site may be loaded after the form was opened.
  const appointmentOf = (values: Values) => requestOf({ ...values, domainName: domainName || values.domainName })
  const utils = trpc.useUtils()
  const form = useForm<Values>(
    {
      domainName,
      bookingType: bookingTypes[0],
      timeSlot: initialSlot,
      date: day < today ? today : day,
      name: '',
      email: '',
      phone: '',
      notes: '',
    },
    (values) => formErrors(fieldErrors(CreateAppointmentInput, appointmentOf(values))),
  )
  const { date, timeSlot, name, email, phone, notes } = form.values
  const hasText = open && [name, email, phone, notes].some((text) => text !== '')
  useUnsentText('new appointment', hasText ? form.values : undefined, form.set)
  const isMounted = useIsMounted()
  const create = trpc.appointments.create.useMutation({
    // After a lost response too, the calendar shows what was created.
    onSettled: () => void utils.appointments.list.invalidate(),
    onSuccess: (created) => {
      toast.success(appointmentMessages.created)
      onCreated(dayIn(created.date, timeZone))
    },
    onError: (error) =>
      toastFailure(error, appointmentMessages.createFailed, ({ code, fields }) =>
        code === 'conflict' ? isMounted() : form.showErrors(formErrors(fields)),
      ),
  })
  const createOnce = useSingleFlight(create.mutateAsync)
  const slots = useSlotOptions(date, timeZone, { enabled: open })
  const submit = form.submit((values) => {
    if (values.timeSlot !== null && values.date !== null)
      createOnce({
        ...appointmentOf(values),
        timeSlot: values.timeSlot,
        date: values.date,
        requestId,
      })
  })
  /** Either email or phone is required, so editing one clears the errors of both. */
  const contactField = (edited: 'email' | 'phone', other: 'email' | 'phone') => ({
    ...form.field(edited),
    onChange: (value: string) => {
      form.field(edited).onChange(value)
      form.field(other).onChange(form.values[other])
    },
  })

  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title="New Appointment"
      unsaved={hasText}
      action="Create Appointment"
      pending={create.isPending}
      pendingLabel="Creating..."
      onSubmit={submit}
    >
      <ConflictAlert
        error={create.error}
        timeZone={timeZone}
        onPick={(time) => {
          form.set({ date: dayIn(time.date, timeZone), timeSlot: time.timeSlot })
          create.reset()
        }}
      />
      {domainName === '' && (
        <TextField
          label="Domain name"
          description="Your own site's name."
          autoComplete="off"
          {...form.field('domainName')}
        />
      )}
      <Select
        label="Booking type"
        options={bookingTypes.map((value) => ({ value, label: value }))}
        {...form.field('bookingType')}
      />
      <div className={styles['pair']}>
        <DatePicker label="Date" min={today} {...form.field('date')} />
        <Select
          label="Time slot"
          description={zoneLabel(timeZone)}
          options={slots}
          {...form.field('timeSlot')}
          value={timeSlot}
        />
      </div>
      <TextField label="Name" autoComplete="off" {...form.field('name')} />
      <div className={styles['pair']}>
        <TextField
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="off"
          {...contactField('email', 'phone')}
        />
        <TextField label="Phone" type="tel" inputMode="tel" autoComplete="off" {...contactField('phone', 'email')} />
      </div>
      <TextArea label="Notes" rows={3} max={appointmentLimits.notes} {...form.field('notes')} />
    </FormDialog>
  )
}
