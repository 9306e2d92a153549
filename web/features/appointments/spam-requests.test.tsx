import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { clickTwice, hitBySecondPress, renderWithAnswers } from '../../test-fixture.tsx'
import { bookedAppointment } from './appointment-fixture.ts'
import { SpamRequests } from './spam-requests.tsx'

const suspected = bookedAppointment({
  status: 'pending',
  contact: { name: '', email: 'bot@spam.example', phone: '' },
})

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

test.each([/^Delete the request/, 'Not spam'])('a double click on %s changes one request', async (name) => {
  let list = [1, 2, 3].map((number) => ({ ...suspected, _id: `019a0000-0000-7000-8000-00000000005${number}` }))
  const drop = (id: string) => {
    list = list.filter(({ _id }) => _id !== id)
  }
  await renderWithAnswers(<SpamRequests timeZone="America/New_York" />, {
    appointments: {
      setAside: () => list,
      notSpam: ({ id }) => {
        drop(id)
        return suspected
      },
      remove: ({ id }) => {
        drop(id)
        return { message: '' }
      },
    },
  })
  // On a phone a toast lies above the list.
  await page.viewport(1280, 900)
  await page.getByText('Possible spam (3)').click()
  await expect.element(page.getByText('bot@spam.example').first()).toBeVisible()
  expect(await hitBySecondPress(page.getByRole('button', { name }))).toBeNull()
})
