import type { Appointment } from '@flashsheet/contracts/appointments/schema'
import { appointmentMessages } from '@flashsheet/contracts/appointments/messages'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { rememberUser } from '../../lib/remembered-user.ts'
import { saveUnsentText } from '../../lib/session-end.ts'
import { trpc, type RouterInputs } from '../../lib/trpc.ts'
import { ada, clickTwice, noConnection, refusal, renderWithAnswers } from '../../test-fixture.tsx'
import { changedElsewhereTexts } from '../parts/changed-elsewhere-texts.ts'
import { bookedAppointment } from './appointment-fixture.ts'
import { AppointmentDialog } from './appointment-dialog.tsx'

const booked = bookedAppointment()

/** The dialog with a server that has this appointment; `changeElsewhere` is like a change by the client, of which the screen gets a live hint. */
async function opened(initial: Partial<Appointment> = {}) {
  let stored: Appointment | undefined = { ...booked, ...initial }
  const find = () => {
    if (!stored) throw refusal(404, { message: appointmentMessages.gone, code: 'notFound' })
    return stored
  }
  let refetch = async () => {}
  let isConnected = true
  let readDelay = Promise.resolve()
  const reads: string[] = []
  const saved: RouterInputs['appointments']['update'][] = []
  const removed: string[] = []
  const onClose = vi.fn<() => void>()
  function Live() {
    const utils = trpc.useUtils()
    refetch = async () => await utils.appointments.get.invalidate()
    const [open, setOpen] = useState(true)
    onClose.mockImplementation(() => setOpen(false))
    return <AppointmentDialog id={booked._id} timeZone="America/New_York" open={open} onClose={onClose} />
  }
  const { unmount } = await renderWithAnswers(<Live />, {
    appointments: {
      get: async ({ id }) => {
        reads.push(id)
        await readDelay
        return find()
      },
      list: () => (stored ? [stored] : []),
      update: (change) => {
        saved.push(change)
        if (!isConnected) throw noConnection()
        return find()
      },
      remove: ({ id }) => {
        removed.push(id)
        return { message: 'Deleted.' }
      },
    },
  })
  const changeElsewhere = async (change: Partial<Appointment>, hasHint = true) => {
    stored = { ...find(), ...change }
    if (hasHint) await refetch()
  }
  const removeElsewhere = () => {
    stored = undefined
    return { sendHint: refetch }
  }
  const disconnect = () => (isConnected = false)
  /** Reads are answered after it. */
  const delayReads = (until: Promise<void>): void => {
    readDelay = until
  }
  return { saved, removed, reads, onClose, changeElsewhere, removeElsewhere, disconnect, delayReads, unmount }
}

test('calls and texts the client at their number, without its extension', async () => {
  const { changeElsewhere } = await opened()
  await changeElsewhere({ contact: { ...booked.contact, phone: '+1 718 555 0142 ext. 12' } })
  await expect
    .element(page.getByRole('link', { name: 'Call +1 718 555 0142 ext. 12' }))
    .toHaveAttribute('href', 'tel:+17185550142')
  await expect.element(page.getByRole('link', { name: 'Text' })).toHaveAttribute('href', 'sms:+17185550142')
})

test('saves only what was edited, so that a note does not undo a cancellation or a move by the client', async () => {
  const { saved, changeElsewhere } = await opened()
  await page.getByRole('textbox', { name: 'Notes' }).fill('Brings a sketch')
  await changeElsewhere({
    status: 'cancelled',
    timeSlot: '1:00pm-2:00pm',
    date: '2039-11-15T18:00:00.000Z',
    endsAt: '2039-11-15T22:00:00.000Z',
  })
  await expect.element(page.getByRole('button', { name: /Status/ })).toHaveTextContent('Cancelled')
  await expect.element(page.getByRole('button', { name: /Time slot/ })).toHaveTextContent('1:00pm-2:00pm')
  await expect.element(page.getByRole('textbox', { name: 'Notes' })).toHaveValue('Brings a sketch')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.poll(() => saved).toEqual([{ id: booked._id, notes: 'Brings a sketch' }])
})

test.each(['a live hint arrives', 'a save reads it'])(
  'an edited note does not replace one from another device without a warning: when %s',
  async (when) => {
    const { saved, changeElsewhere } = await opened()
    const notes = page.getByRole('textbox', { name: 'Notes' })
    const notice = page.getByRole('alert').getByText(changedElsewhereTexts.notice)
    const save = page.getByRole('button', { name: 'Save changes' })
    await notes.fill('Brings a sketch')
    const hasHint = when === 'a live hint arrives'
    await changeElsewhere({ notes: 'Allergic to red' }, hasHint)
    notes.element().scrollIntoView({ block: 'start' })
    if (!hasHint) await save.click()
    await expect.element(notice).toBeVisible()
    if (!hasHint) await expect.element(notice).toBeInViewport()
    await expect.element(notes).toHaveValue('Brings a sketch')
    expect(saved).toEqual([])
    await page.getByRole('button', { name: changedElsewhereTexts.show }).click()
    await expect.element(notes).toHaveValue('Allergic to red')
    await expect.element(notice).not.toBeInTheDocument()
    await notes.fill('Allergic to red, brings a sketch')
    await save.click()
    await expect.poll(() => saved).toEqual([{ id: booked._id, notes: 'Allergic to red, brings a sketch' }])
  },
)

test('a save that stops after the screen was left, since another device has changed the note, is reported', async () => {
  const { saved, reads, delayReads, changeElsewhere, unmount } = await opened()
  await page.getByRole('textbox', { name: 'Notes' }).fill('Brings a sketch')
  const answer = Promise.withResolvers<void>()
  delayReads(answer.promise)
  const before = reads.length
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.poll(() => reads).toHaveLength(before + 1)
  await unmount()
  await changeElsewhere({ notes: 'Allergic to red' }, false)
  answer.resolve()
  await expect.element(page.getByText(changedElsewhereTexts.notSaved)).toBeVisible()
  expect(saved).toEqual([])
})

test('an edit that was given up is not stored for the next opening', async () => {
  rememberUser(ada)
  sessionStorage.clear()
  await opened()
  await page.getByRole('textbox', { name: 'Notes' }).fill('Brings a sketch')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  saveUnsentText()
  expect(sessionStorage).toHaveLength(0)
  rememberUser(null)
})

test('a request that was answered on another device is not answered again', async () => {
  const { saved, changeElsewhere } = await opened({ status: 'pending', answerBy: '2039-11-14T14:00:00.000Z' })
  const accept = page.getByRole('button', { name: 'Accept' })
  await expect.element(accept).toBeVisible()
  await changeElsewhere({ status: 'cancelled', answerBy: null }, false)
  await accept.click()
  await expect.element(page.getByText(appointmentMessages.answered)).toBeVisible()
  await expect.element(page.getByRole('button', { name: /Status/ })).toHaveTextContent('Cancelled')
  expect(saved).toEqual([])
})

test('an answer that was saved counts, also if its response is lost', async () => {
  const { onClose, changeElsewhere, disconnect } = await opened({
    status: 'pending',
    answerBy: '2039-11-14T14:00:00.000Z',
  })
  disconnect()
  const accept = page.getByRole('button', { name: 'Accept' })
  await accept.click()
  await expect.element(page.getByText(appointmentMessages.updateFailed)).toBeVisible()
  await changeElsewhere({ status: 'confirmed', answerBy: null }, false)
  await accept.click()
  await expect.element(page.getByText(appointmentMessages.updated)).toBeVisible()
  expect(page.getByText(appointmentMessages.answered).elements()).toEqual([])
  expect(onClose).toHaveBeenCalledOnce()
})

test('a note that was saved counts, also if its response is lost', async () => {
  const { saved, onClose, changeElsewhere, disconnect } = await opened()
  disconnect()
  await page.getByRole('textbox', { name: 'Notes' }).fill('Brings a sketch')
  await changeElsewhere({ notes: 'Brings a sketch' }, false)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(page.getByText(appointmentMessages.updated)).toBeVisible()
  expect(saved).toHaveLength(1)
  expect(onClose).toHaveBeenCalledOnce()
})

test('shows the time of an appointment between two slots, which was made in another time zone', async () => {
  const { saved, changeElsewhere } = await opened()
  await changeElsewhere({ date: '2039-11-15T15:30:00.000Z', endsAt: '2039-11-15T19:30:00.000Z' })
  const slot = page.getByRole('button', { name: /Time slot/ })
  await expect.element(slot).toHaveTextContent('10:30 AM')
  await slot.click()
  await page.getByRole('option', { name: '10:00am-11:00am' }).click()
  await expect.element(slot).toHaveTextContent('10:00am-11:00am')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.poll(() => saved).toEqual([{ id: booked._id, timeSlot: '10:00am-11:00am' }])
})

test('is changed: its status and its notes are saved, and the dialog closes', async () => {
  const { saved, onClose } = await opened()
  await expect.element(page.getByText('Close', { exact: true })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Cancel' })).not.toBeInTheDocument()
  await page.getByRole('button', { name: /Status/ }).click()
  await page.getByRole('option', { name: 'Completed' }).click()
  await page.getByRole('textbox', { name: 'Notes' }).fill('Healed well')
  await clickTwice(page.getByRole('button', { name: 'Save changes' }))
  await expect.element(page.getByText('Appointment updated successfully!')).toBeVisible()
  expect(saved).toEqual([{ id: booked._id, status: 'completed', notes: 'Healed well' }])
  expect(onClose).toHaveBeenCalledOnce()
})

test('is deleted after one confirmation', async () => {
  const { removed, onClose } = await opened()
  await page.getByRole('button', { name: 'Delete appointment' }).click()
  const ask = page.getByRole('alertdialog', { name: 'Delete this appointment?' })
  await expect.element(ask).toBeVisible()
  expect(removed).toEqual([])
  await clickTwice(ask.getByRole('button', { name: 'Delete' }))
  await expect.element(page.getByText('Appointment Deleted successfully!')).toBeVisible()
  expect(removed).toEqual([booked._id])
  expect(onClose).toHaveBeenCalledOnce()
})

test.each(['a live hint arrives', 'a save is refused'])(
  'is deleted on another device while a note is typed: when %s it says so, and the note stays readable',
  async (when) => {
    const { removeElsewhere } = await opened()
    const notes = page.getByRole('textbox', { name: 'Notes' })
    await notes.fill('Bring the reference')
    const { sendHint } = removeElsewhere()
    if (when === 'a save is refused') await page.getByRole('button', { name: 'Save changes' }).click()
    else await sendHint()
    await expect.element(page.getByRole('alert').getByText(appointmentMessages.gone)).toBeVisible()
    await expect.element(notes).toHaveValue('Bring the reference')
    await expect.element(page.getByRole('button', { name: 'Save changes' })).not.toBeInTheDocument()
  },
)
