import { appointmentLimits, defaultAvailability } from '@flashsheet/contracts/appointments/limits'
import { appointmentMessages } from '@flashsheet/contracts/appointments/messages'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { rememberUser } from '../../lib/remembered-user.ts'
import { saveUnsentText } from '../../lib/session-end.ts'
import { trpc, type RouterInputs } from '../../lib/trpc.ts'
import { ada, clickTwice, hitBySecondPress, noConnection, refusal, renderWithAnswers } from '../../test-fixture.tsx'
import { BookingHoursDialog } from './booking-hours-dialog.tsx'
import { enlargeFont } from '../../ui/large-font-fixture.ts'

const hours = { ...defaultAvailability, timeZone: 'America/New_York', isSet: true }

async function opened({ isDown = false, delay = Promise.resolve(), stored = hours } = {}) {
  const onClose = vi.fn<() => void>()
  const saved: RouterInputs['appointments']['saveAvailability'][] = []
  const screen = await renderWithAnswers(<BookingHoursDialog stored={stored} open onClose={onClose} />, {
    appointments: {
      saveAvailability: async (rules) => {
        await delay
        if (isDown) throw noConnection()
        saved.push(rules)
        return hours
      },
    },
  })
  return { screen, save: screen.getByRole('button', { name: 'Save', exact: true }), saved, onClose }
}

test('saves a closed day and an added break', async () => {
  const { screen, save, saved, onClose } = await opened()
  await screen.getByRole('group', { name: 'Sunday' }).getByText('Sunday', { exact: true }).click()
  await expect.element(screen.getByRole('group', { name: 'Sunday' }).getByText('Closed')).toBeVisible()
  await screen.getByRole('button', { name: 'Add a break on Monday' }).click()
  await expect.element(screen.getByRole('button', { name: /Monday, break, from/ })).toHaveFocus()
  await clickTwice(save)
  await expect.poll(() => onClose.mock.calls.length).toBe(1)
  expect(saved).toHaveLength(1)
  const [sunday, monday] = saved[0]?.weekly ?? []
  expect(sunday).toBeNull()
  expect(monday?.breaks).toEqual([{ from: 780, to: 840 }])
})

test('numbers the breaks of a day that has several', async () => {
  const { screen } = await opened()
  const add = screen.getByRole('button', { name: 'Add a break on Monday' })
  await add.click()
  await add.click()
  await screen.getByRole('button', { name: 'Remove break 1 on Monday' }).click()
  await expect.element(screen.getByRole('button', { name: 'Remove the break on Monday' })).toBeVisible()
})

test('does not show past days off, and a save keeps as many of the newest as there is room for', async () => {
  const block = (day: string) => ({ firstDay: day, lastDay: day, from: 0, to: 1440, reason: '' })
  const past = Array.from({ length: appointmentLimits.blocks - 1 }, (_, at) =>
    block(`2020-01-${String((at % 28) + 1).padStart(2, '0')}`),
  )
  const stored = { ...hours, blocks: [...past, block('2099-01-01')] }
  const { screen, save, saved } = await opened({ stored })
  expect(screen.getByRole('button', { name: /^Remove the days off from/ }).elements()).toHaveLength(1)
  await screen.getByRole('button', { name: 'Add days off' }).click()
  await expect.element(screen.getByRole('button', { name: /Calendar First day/ }).last()).toHaveFocus()
  await save.click()
  await expect.poll(() => saved).toHaveLength(1)
  expect(saved[0]?.blocks.slice(0, -1)).toEqual([...past.slice(1), block('2099-01-01')])
  expect(saved[0]?.previous?.blocks).toEqual(stored.blocks)
})

test('one day off stays one day when its first day is typed', async () => {
  const block = { firstDay: '2099-11-28', lastDay: '2099-11-28', from: 0, to: 1440, reason: '' }
  const { screen, save, saved } = await opened({ stored: { ...hours, blocks: [block] } })
  await screen.getByRole('spinbutton', { name: /month.*First day/ }).click()
  await userEvent.keyboard('12052099')
  await save.click()
  await expect.poll(() => saved[0]?.blocks).toEqual([{ ...block, firstDay: '2099-12-05', lastDay: '2099-12-05' }])
})

test('several days off keep their last day when the first is typed, although a typed month is after it', async () => {
  const block = { firstDay: '2099-11-28', lastDay: '2099-12-05', from: 0, to: 1440, reason: '' }
  const { screen, save, saved } = await opened({ stored: { ...hours, blocks: [block] } })
  await screen.getByRole('spinbutton', { name: /month.*First day/ }).click()
  await userEvent.keyboard('1201')
  await save.click()
  await expect.poll(() => saved[0]?.blocks).toEqual([{ ...block, firstDay: '2099-12-01' }])
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
  const { screen, save, onClose } = await opened({ isDown: true })
  await screen.getByRole('button', { name: 'Add a break on Monday' }).click()
  await save.click()
  await expect.element(screen.getByRole('alert')).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Remove the break on Monday' })).toBeVisible()
  expect(onClose).not.toHaveBeenCalled()
})

test('a tap beside the dialog closes it, but not over unsaved hours', async () => {
  await page.viewport(1200, 700)
  const { screen, onClose } = await opened()
  const tapBeside = async () => {
    await expect.poll(() => document.querySelector('[data-settling]')).toBeNull()
    await userEvent.click(document.body, { position: { x: 5, y: 5 } })
  }
  await tapBeside()
  expect(onClose).toHaveBeenCalledTimes(1)
  await screen.getByRole('button', { name: 'Add a break on Monday' }).click()
  await tapBeside()
  await screen.getByRole('button', { name: 'Cancel' }).click()
  expect(onClose).toHaveBeenCalledTimes(2)
})

test('shows the error of a failed save although the form is scrolled down', async () => {
  await page.viewport(1000, 600)
  const { screen, save } = await opened({ isDown: true })
  const last = screen.getByRole('heading', { name: 'Rules' })
  await expect.element(last).toBeVisible()
  last.element().scrollIntoView()
  await save.click()
  await expect.element(screen.getByRole('alert')).toBeInViewport()
})

test('a failed save is reported by a toast after the screen was left', async () => {
  const answer = Promise.withResolvers<void>()
  const { screen, save } = await opened({ isDown: true, delay: answer.promise })
  await save.click()
  await expect.poll(() => screen.calls).toHaveLength(1)
  await screen.unmount()
  answer.resolve()
  await expect.element(page.getByRole('alertdialog').getByText(appointmentMessages.hoursFailed)).toBeVisible()
})

function DialogOfStored({ onClose }: { onClose: () => void }) {
  const stored = trpc.appointments.availability.useQuery()
  return stored.data ? <BookingHoursDialog stored={stored.data} open onClose={onClose} /> : null
}

test('a save does not overwrite hours that another window has saved, and shows the choice', async () => {
  const server = { hours, saved: [] as number[] }
  const onClose = vi.fn<() => void>()
  const screen = await renderWithAnswers(<DialogOfStored onClose={onClose} />, {
    appointments: {
      availability: () => server.hours,
      saveAvailability: ({ previous, bufferMinutes }) => {
        if (previous?.bufferMinutes !== server.hours.bufferMinutes)
          throw refusal(409, { message: appointmentMessages.hoursStale, code: 'conflict' })
        server.saved.push(bufferMinutes)
        server.hours = { ...server.hours, bufferMinutes }
        return server.hours
      },
    },
  })
  const save = screen.getByRole('button', { name: 'Save', exact: true })
  const ownBreak = screen.getByRole('button', { name: 'Remove the break on Monday' })
  const warning = screen.getByText(appointmentMessages.hoursChangedElsewhere)
  const addBreak = async () => await screen.getByRole('button', { name: 'Add a break on Monday' }).click()
  await addBreak()
  server.hours = { ...hours, bufferMinutes: 30 }
  await save.click()
  await expect.element(warning).toBeVisible()
  await expect.element(ownBreak).toBeVisible()
  expect(server.saved).toEqual([])

  await screen.getByRole('button', { name: appointmentMessages.showOtherHours }).click()
  await expect.element(warning).not.toBeInTheDocument()
  await expect.element(ownBreak).not.toBeInTheDocument()

  await addBreak()
  server.hours = { ...hours, bufferMinutes: 60 }
  await save.click()
  await expect.element(warning).toBeVisible()
  await save.click()
  await expect.poll(() => onClose.mock.calls.length).toBe(1)
  // The artist's own hours, which began from those of the other window.
  expect(server.saved).toEqual([30])
})

test('keeps edited hours when the session ends, and shows the choice if others were saved meanwhile', async () => {
  rememberUser(ada)
  const openedWith = async (stored: typeof hours) =>
    await renderWithAnswers(<BookingHoursDialog stored={stored} open onClose={() => {}} />, {})
  const first = await openedWith(hours)
  await first.getByRole('button', { name: 'Add a break on Monday' }).click()
  saveUnsentText()
  await first.unmount()
  const again = await openedWith({ ...hours, bufferMinutes: 30 })
  await expect.element(again.getByRole('button', { name: 'Remove the break on Monday' })).toBeVisible()
  await expect.element(again.getByText(appointmentMessages.hoursChangedElsewhere)).toBeVisible()
  rememberUser(null)
})

test.each([
  { add: 'Add a break on Monday', remove: /^Remove (the break|break \d) on Monday/ },
  { add: 'Add days off', remove: /^Remove the days off/ },
])('a double click on $remove removes one', async ({ add, remove }) => {
  const { screen } = await opened()
  const buttons = screen.getByRole('button', { name: remove })
  for (const count of [1, 2]) {
    await screen.getByRole('button', { name: add }).click()
    await expect.poll(() => buttons.elements()).toHaveLength(count)
  }
  expect(await hitBySecondPress(buttons)).toBeNull()
})

test('the button that removes days off names their first day in words', async () => {
  const { screen } = await opened()
  await screen.getByRole('button', { name: 'Add days off' }).click()
  await expect
    .element(screen.getByRole('button', { name: /^Remove the days off from [A-Z][a-z]+day, [A-Z][a-z]+ \d+/ }))
    .toBeVisible()
})

test('with a large font on a phone the hours of a day can be read', async () => {
  await page.viewport(319, 844)
  enlargeFont()
  const { screen } = await opened()
  const value = screen.getByRole('button', { name: /^9:00am Monday, from/ }).getByText('9:00am')
  await expect.element(value).toBeVisible()
  expect(value.element().scrollWidth).toBeLessThanOrEqual(value.element().clientWidth)
})
