import type { Appointment } from '@flashsheet/contracts/appointments/schema'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { clickTwice, renderWithAnswers } from '../../test-fixture.tsx'
import { SpamRequests } from './spam-requests.tsx'

const suspected: Appointment = {
  _id: '019a0000-0000-7000-8000-000000000023',
  domainName: 'ada-ink',
  bookingType: '1 Hour Booking',
  timeSlot: '4:00pm-5:00pm',
  date: '2039-11-15T21:00:00.000Z',
  endsAt: '2039-11-15T22:00:00.000Z',
  status: 'pending',
  notes: '',
  contact: { name: '', email: 'bot@spam.example', phone: '' },
  answerBy: null,
  createdAt: '2039-11-01T12:00:00.000Z',
}

test('a request that is no spam is moved to the others, once', async () => {
  let list = [suspected]
  const { calls } = await renderWithAnswers(<SpamRequests timeZone="America/New_York" />, {
    appointments: {
      setAside: () => list,
      notSpam: ({ id }) => {
        list = list.filter(({ _id }) => _id !== id)
        return suspected
      },
    },
  })
  await page.getByText('Possible spam (1)').click()
  await expect.element(page.getByText('bot@spam.example')).toBeVisible()
  await clickTwice(page.getByRole('button', { name: 'Not spam' }))
  await expect.element(page.getByText('It was moved to your requests, and its time is held.')).toBeVisible()
  await expect.element(page.getByText(/Possible spam/)).not.toBeInTheDocument()
  expect(list).toEqual([])
  expect(calls.filter(({ path }) => path === 'appointments.notSpam')).toHaveLength(1)
})
