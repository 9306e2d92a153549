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
