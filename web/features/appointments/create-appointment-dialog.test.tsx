import type { Appointment } from '@flashsheet/contracts/appointments/schema'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderWithAnswers } from '../../test-fixture.tsx'
import { CreateAppointmentDialog } from './create-appointment-dialog.tsx'

test('is for the site whose name is loaded after the dialog was opened', async () => {
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
  await page.getByRole('button', { name: 'Create Appointment' }).click()
  await expect
    .poll(() => calls.filter(({ path }) => path === 'appointments.create').map(({ input }) => input))
    .toMatchObject([{ domainName: 'ada-ink', contact: { email: 'tom@home.example' } }])
})

test('marks the slots as taken that an appointment until after midnight overlaps', async () => {
  const late: Appointment = {
    _id: '019a0000-0000-7000-8000-000000000021',
    domainName: 'ada-ink',
    bookingType: 'Full Day Booking',
    timeSlot: '5:00pm-6:00pm',
    date: '2039-11-15T22:00:00.000Z',
    endsAt: '2039-11-16T06:00:00.000Z',
    status: 'confirmed',
    notes: '',
    contact: { name: 'Tom Reyes', email: '', phone: '+1 555 0100' },
    answerBy: null,
    createdAt: '2039-11-01T12:00:00.000Z',
  }
  await renderWithAnswers(
    <CreateAppointmentDialog
      day="2039-11-15"
      timeSlot={null}
      timeZone="America/New_York"
      domainName="ada-ink"
      open
      onClose={() => {}}
      onCreated={() => {}}
    />,
    { appointments: { list: () => [late] } },
  )
  await page.getByRole('button', { name: /Time slot/ }).click()
  const option = (name: RegExp) => page.getByRole('option', { name })
  for (const taken of [/^5:00pm/, /^6:00pm/, /^7:00pm/])
    await expect.element(option(taken)).toHaveAttribute('aria-disabled', 'true')
  await expect.element(option(/^4:00pm/)).not.toHaveAttribute('aria-disabled')
})
