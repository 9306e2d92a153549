import { postMessages } from '@flashsheet/contracts/posts/messages'
import { expect, test, vi } from 'vitest'
import { cdp, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Zones } from '../parts/use-zones.ts'
import { ScheduleDialog } from './schedule-dialog.tsx'

const zones: Zones = { viewer: 'Berlin time', inStudio: () => 'that time at your studio' } as unknown as Zones

type Session = { send: (method: string, params: object) => Promise<unknown> }

async function opened() {
  const onAdd = vi.fn<(iso: string) => void>()
  const onClose = vi.fn<() => void>()
  const screen = await render(<ScheduleDialog open onClose={onClose} onAdd={onAdd} zones={zones} />)
  return { screen, onAdd, onClose, add: screen.getByRole('button', { name: 'Add Schedule' }) }
}

test('reports a missing time; a quick time is chosen with one press', async () => {
  const { screen, onAdd, onClose, add } = await opened()
  await add.click()
  await expect.element(screen.getByText(postMessages.scheduleRequired)).toBeVisible()
  expect(onAdd).not.toHaveBeenCalled()
  await screen.getByRole('button', { name: 'Tomorrow 10 AM' }).click()
  await expect.element(screen.getByText(postMessages.scheduleRequired)).not.toBeInTheDocument()
  await add.click()
  const chosen = new Date(onAdd.mock.calls[0]?.[0] ?? '')
  expect([chosen.getHours(), chosen.getMinutes()]).toEqual([10, 0])
  expect(onClose).toHaveBeenCalledOnce()
})

test('refuses a past time and stays open', async () => {
  const { screen, onAdd, onClose, add } = await opened()
  await screen.getByRole('spinbutton', { name: /month/ }).click()
  await userEvent.keyboard('0101240930a')
  await add.click()
  await expect.element(screen.getByText(postMessages.schedulePast)).toBeVisible()
  expect([onAdd.mock.calls, onClose.mock.calls]).toEqual([[], []])
})

async function pickTheFifteenth({ screen, add }: Awaited<ReturnType<typeof opened>>) {
  await screen.getByRole('button', { name: /Calendar/ }).click()
  const month = screen.getByRole('application')
  await month.getByRole('button', { name: 'Next' }).first().click()
  await month.getByRole('button', { name: /\b15,/ }).click()
  await userEvent.keyboard('{Escape}')
  await add.click()
}

test('a picked day gets ten o’clock as its time', async () => {
  const dialog = await opened()
  await pickTheFifteenth(dialog)
  const chosen = new Date(dialog.onAdd.mock.calls[0]?.[0] ?? '')
  expect([chosen.getDate(), chosen.getHours(), chosen.getMinutes()]).toEqual([15, 10, 0])
})

test('a day is picked in the time zone to which the viewer has travelled with an open page', async () => {
  const travelTo = async (timezoneId: string) =>
    await (cdp() as unknown as Session).send('Emulation.setTimezoneOverride', { timezoneId })
  try {
    for (const [timeZone, offset] of [
      ['Asia/Kolkata', -330],
      ['Asia/Tokyo', -540],
    ] as const) {
      await travelTo(timeZone)
      const dialog = await opened()
      await pickTheFifteenth(dialog)
      const chosen = new Date(dialog.onAdd.mock.calls[0]?.[0] ?? '')
      expect([chosen.getTimezoneOffset(), chosen.getDate(), chosen.getHours()]).toEqual([offset, 15, 10])
      await dialog.screen.unmount()
    }
  } finally {
    await travelTo('')
  }
})

test('today gets its last minute as its time when the last hour has begun', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 5, 23, 20) })
  try {
    const { screen, onAdd, add } = await opened()
    await screen.getByRole('button', { name: /Calendar/ }).click()
    await screen.getByRole('application').getByRole('button', { name: /\b5,/ }).click()
    await userEvent.keyboard('{Escape}')
    await add.click()
    const chosen = new Date(onAdd.mock.calls[0]?.[0] ?? '')
    expect([chosen.getDate(), chosen.getHours(), chosen.getMinutes()]).toEqual([5, 23, 59])
  } finally {
    vi.useRealTimers()
  }
})
