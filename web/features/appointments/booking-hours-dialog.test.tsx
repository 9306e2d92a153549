import type { AppRouter } from '@flashsheet/api'
import { defaultAvailability } from '@flashsheet/contracts/appointments/limits'
import type { Availability, DayHours } from '@flashsheet/contracts/appointments/schema'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { beforeEach, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { trpc } from '../../lib/trpc.ts'
import { BookingHoursDialog } from './booking-hours-dialog.tsx'

let calls: { path: string; weekly: (DayHours | null)[] }[]
let isDown: boolean
const server: TRPCLink<AppRouter> =
  () =>
  ({ op }) =>
    observable((observer) => {
      calls.push({ path: op.path, weekly: (op.input as Availability).weekly })
      if (isDown) {
        observer.error(TRPCClientError.from(new Error('no connection')))
        return
      }
      observer.next({ result: { data: op.input } })
      observer.complete()
    })

const onClose = vi.fn<() => void>()
beforeEach(() => {
  calls = []
  isDown = false
  onClose.mockClear()
})

async function opened() {
  const queries = new QueryClient()
  const screen = await render(
    <trpc.Provider client={trpc.createClient({ links: [server] })} queryClient={queries}>
      <QueryClientProvider client={queries}>
        <BookingHoursDialog rules={defaultAvailability} timeZone="America/New_York" open onClose={onClose} />
      </QueryClientProvider>
    </trpc.Provider>,
  )
  return { screen, save: screen.getByRole('button', { name: 'Save', exact: true }) }
}

test('saves a closed day and an added break', async () => {
  const { screen, save } = await opened()
  await screen.getByRole('group', { name: 'Sunday' }).getByText('Sunday', { exact: true }).click()
  await expect.element(screen.getByRole('group', { name: 'Sunday' }).getByText('Closed')).toBeVisible()
  await screen.getByRole('button', { name: 'Add a break on Monday' }).click()
  await save.click()
  await expect.poll(() => onClose.mock.calls.length).toBe(1)
  const [sunday, monday] = calls[0]?.weekly ?? []
  expect(calls.map(({ path }) => path)).toEqual(['appointments.saveAvailability'])
  expect(sunday).toBeNull()
  expect(monday?.breaks).toEqual([{ from: 780, to: 840 }])
})

test('hides the hours while bookings are off', async () => {
  const { screen } = await opened()
  await screen.getByText('Take bookings').click()
  await expect
    .element(screen.getByText('Your site takes no bookings. Clients see how to reach you instead.'))
    .toBeVisible()
  expect(screen.getByRole('heading', { name: 'Week' }).elements()).toEqual([])
})

test('keeps unsaved hours and shows an error when saving fails', async () => {
  isDown = true
  const { screen, save } = await opened()
  await screen.getByRole('button', { name: 'Add a break on Monday' }).click()
  await save.click()
  await expect.element(screen.getByRole('alert')).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Remove the break on Monday' })).toBeVisible()
  expect(onClose).not.toHaveBeenCalled()
})
