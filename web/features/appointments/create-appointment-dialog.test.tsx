import { appointmentMessages } from '@flashsheet/contracts/appointments/messages'
import type { FreeTime } from '@flashsheet/contracts/appointments/schema'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { rememberUser } from '../../lib/remembered-user.ts'
import { saveUnsentText } from '../../lib/session-end.ts'
import type { RouterInputs } from '../../lib/trpc.ts'
import { ada, clickTwice, noConnection, refusal, renderWithAnswers } from '../../test-fixture.tsx'
import { bookedAppointment } from './appointment-fixture.ts'
import { CreateAppointmentDialog, type CreateAppointmentDialogProps } from './create-appointment-dialog.tsx'

/** The dialog of an artist whose site is known. */
const newAppointment = (props: Partial<CreateAppointmentDialogProps> = {}) => (
  <CreateAppointmentDialog
    day="2039-11-15"
    timeSlot={null}
    timeZone="America/New_York"
    domainName="ada-ink"
    open
    onClose={() => {}}
    onCreated={() => {}}
    {...props}
  />
)

test('is for the site whose name is loaded after the dialog was opened, and is created once', async () => {
  let showDomainName = (_name: string) => {}
  function Screen() {
    const [domainName, setDomainName] = useState('')
    showDomainName = setDomainName
    return (
      <CreateAppointmentDialog
        day="2039-11-15"
        timeSlot="10:00am-11:00am"
        timeZone="America/New_York"
        domainName={domainName}
        open
        onClose={() => {}}
        onCreated={() => {}}
      />
    )
  }
  const { calls } = await renderWithAnswers(<Screen />, {
    appointments: {
      list: () => [],
      create: () => {
        throw new Error('unused')
      },
    },
  })
  await expect.element(page.getByRole('textbox', { name: 'Domain name' })).toBeVisible()
  showDomainName('ada-ink')
  await expect.element(page.getByRole('textbox', { name: 'Domain name' })).not.toBeInTheDocument()
  await page.getByRole('textbox', { name: 'Email' }).fill('tom@home.example')
  await clickTwice(page.getByRole('button', { name: 'Create Appointment' }))
  await expect
    .poll(() => calls.filter(({ path }) => path === 'appointments.create').map(({ input }) => input))
    .toMatchObject([{ domainName: 'ada-ink', contact: { email: 'tom@home.example' } }])
})

test('after a lost response, another time is the same request, and no second appointment', async () => {
  const created: RouterInputs['appointments']['create'][] = []
  const { calls } = await renderWithAnswers(newAppointment({ timeSlot: '10:00am-11:00am' }), {
    appointments: {
      list: () => [],
      create: (input) => {
        created.push(input)
        throw created.length === 1
          ? noConnection()
          : refusal(409, { message: appointmentMessages.requestReused, code: 'conflict' })
      },
    },
  })
  const lists = () => calls.filter(({ path }) => path === 'appointments.list').length
  await page.getByRole('textbox', { name: 'Email' }).fill('tom@home.example')
  const create = page.getByRole('button', { name: 'Create Appointment' })
  await expect.poll(lists).toBe(1)
  await create.click()
  await expect.poll(lists).toBe(2)
  await page.getByRole('button', { name: /Time slot/ }).click()
  await page.getByRole('option', { name: /^4:00pm/ }).click()
  // The end of the form hides its beginning on a phone.
  page.getByRole('textbox', { name: 'Notes' }).element().scrollIntoView()
  await create.click()
  await expect.element(page.getByText(appointmentMessages.alreadyCreated)).toBeInViewport()
  expect(created.map(({ timeSlot }) => timeSlot)).toEqual(['10:00am-11:00am', '4:00pm-5:00pm'])
  expect(created[1]?.requestId).toBe(created[0]?.requestId)
})

test('marks the slots as taken that an appointment until after midnight overlaps', async () => {
  const late = bookedAppointment({
    bookingType: 'Full Day Booking',
    timeSlot: '5:00pm-6:00pm',
    date: '2039-11-15T22:00:00.000Z',
    endsAt: '2039-11-16T06:00:00.000Z',
  })
  await renderWithAnswers(newAppointment(), { appointments: { list: () => [late] } })
  await page.getByRole('button', { name: /Time slot/ }).click()
  const option = (name: RegExp) => page.getByRole('option', { name })
  for (const taken of [/^5:00pm/, /^6:00pm/, /^7:00pm/])
    await expect.element(option(taken)).toHaveAttribute('aria-disabled', 'true')
  await expect.element(option(/^4:00pm/)).not.toHaveAttribute('aria-disabled')
})

test.each(['Cancel', 'Create Appointment'])(
  'stores nothing for its next opening once it was closed by %s',
  async (button) => {
    rememberUser(ada)
    sessionStorage.clear()
    function Screen() {
      const [open, setOpen] = useState(true)
      const close = () => setOpen(false)
      return newAppointment({ timeSlot: '10:00am-11:00am', open, onClose: close, onCreated: close })
    }
    await renderWithAnswers(<Screen />, { appointments: { list: () => [], create: () => bookedAppointment() } })
    await page.getByRole('textbox', { name: 'Email' }).fill('tom@home.example')
    saveUnsentText()
    expect(sessionStorage).toHaveLength(1)
    sessionStorage.clear()
    await page.getByRole('button', { name: button }).click()
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    saveUnsentText()
    expect(sessionStorage).toHaveLength(0)
    rememberUser(null)
  },
)

test('a tap beside the dialog does not close it over text of an ended session', async () => {
  await page.viewport(1200, 700)
  rememberUser(ada)
  sessionStorage.clear()
  const onClose = vi.fn<() => void>()
  const first = await renderWithAnswers(newAppointment({ onClose }), { appointments: { list: () => [] } })
  const notes = page.getByRole('textbox', { name: 'Notes' })
  await notes.fill('Cover-up, two sessions')
  saveUnsentText()
  await first.unmount()
  await renderWithAnswers(newAppointment({ onClose }), { appointments: { list: () => [] } })
  await expect.element(notes).toHaveValue('Cover-up, two sessions')
  await expect.poll(() => document.querySelector('[data-settling]')).toBeNull()
  await userEvent.click(document.body, { position: { x: 5, y: 5 } })
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(onClose).toHaveBeenCalledTimes(1)
  rememberUser(null)
})

test('has errors at its fields until they are edited, and a conflict offers free times', async () => {
  const created: RouterInputs['appointments']['create'][] = []
  const onCreated = vi.fn<(day: string) => void>()
  const next: FreeTime[] = [{ date: '2039-11-15T20:00:00.000Z', timeSlot: '3:00pm-4:00pm' }]
  const conflict = { message: 'That time has just been taken.', code: 'conflict', next }
  await renderWithAnswers(newAppointment({ onCreated }), {
    appointments: {
      list: () => [],
      create: (input) => {
        created.push(input)
        if (input.timeSlot !== '3:00pm-4:00pm') throw refusal(409, conflict)
        return bookedAppointment({ timeSlot: '3:00pm-4:00pm', date: '2039-11-15T20:00:00.000Z' })
      },
    },
  })
  const create = page.getByRole('button', { name: 'Create Appointment' })
  const errors = () =>
    [appointmentMessages.timeSlotRequired, appointmentMessages.contactRequired].map(
      (message) => page.getByText(message).elements().length > 0,
    )
  // The artist's own site is used.
  await expect.element(create).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'Domain name' })).not.toBeInTheDocument()
  await create.click()
  await expect.poll(errors).toEqual([true, true])
  expect(created).toEqual([])
  await page.getByRole('textbox', { name: 'Phone' }).fill('+1 718 555 0142')
  await page.getByRole('button', { name: /Time slot/ }).click()
  await page.getByRole('option', { name: '2:00pm-3:00pm' }).click()
  await expect.poll(errors).toEqual([false, false])
  await create.click()
  await expect.element(page.getByText('That time has just been taken.')).toBeVisible()
  await page.getByRole('button', { name: '11/15/2039, 3:00 PM' }).click()
  await create.click()
  await expect.element(page.getByText('Appointment created successfully!')).toBeVisible()
  expect(created).toMatchObject([
    { timeSlot: '2:00pm-3:00pm', date: '2039-11-15', domainName: 'ada-ink' },
    { timeSlot: '3:00pm-4:00pm', date: '2039-11-15', domainName: 'ada-ink', contact: { phone: '+1 718 555 0142' } },
  ])
  expect(onCreated.mock.calls).toEqual([['2039-11-15']])
})
