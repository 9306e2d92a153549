import {
  createBrowserHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
  useNavigate,
} from '@tanstack/react-router'
import { useState } from 'react'
import { expect, onTestFinished, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { AlertDialog } from './alert-dialog.tsx'
import { Button } from './button.tsx'
import { ComboBox } from './combo-box.tsx'
import { DatePicker } from './date-picker.tsx'
import { Dialog } from './dialog.tsx'
import { Menu, MenuItem } from './menu.tsx'
import { Select } from './select.tsx'

function Screen() {
  const [isOpen, setIsOpen] = useState(false)
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <button onClick={() => setIsOpen(true)}>Open</button>
      <Select label="Status" value="all" onChange={() => {}} options={[{ value: 'all', label: 'All' }]} />
      <Menu label="More actions" trigger={<Button>More</Button>}>
        <MenuItem>Delete</MenuItem>
      </Menu>
      <DatePicker label="Day" value={null} onChange={() => {}} />
      <ComboBox label="City" value={null} onChange={() => {}} options={[{ value: 'rome', label: 'Rome' }]} />
      <Dialog open={isOpen} onClose={() => setIsOpen(false)} title="New Appointment">
        <textarea aria-label="Notes" />
        <Select label="Length" value="1" onChange={() => {}} options={[{ value: '1', label: '1 hour' }]} />
        <ComboBox label="Artist" value={null} onChange={() => {}} options={[{ value: 'ada', label: 'Ada' }]} />
        <button onClick={() => setIsAsking(true)}>Delete</button>
        <AlertDialog
          open={isAsking}
          onClose={() => setIsAsking(false)}
          title="Delete it?"
          action="Delete it"
          onAction={() => {}}
        >
          It is gone for good.
        </AlertDialog>
      </Dialog>
    </>
  )
}

/** Its URL names what the dialog is about, while the dialog is open. */
function LinkedDialog() {
  const navigate = useNavigate()
  const [isOpen, setIsOpen] = useState(true)
  const close = () => {
    setIsOpen(false)
    void navigate({ to: '.', search: true, hash: '', replace: true })
  }
  return (
    <Dialog open={isOpen} onClose={close} title="Appointment">
      <button>Decline</button>
    </Dialog>
  )
}

/** Renders the screen at an entry of the browser's history that is not the first. */
async function renderScreen(component = Screen) {
  const history = createBrowserHistory()
  onTestFinished(() => history.destroy())
  const before = location.href
  const here = `${location.pathname}${location.search}#here`
  history.push(here)
  history.flush()
  const router = createRouter({
    routeTree: createRootRoute({ component, notFoundComponent: component }),
    history,
  })
  const screen = await render(<RouterProvider router={router} />)
  const goBack = () => globalThis.history.back()
  /** Resolves once a blocked Back has been undone. */
  const untilHere = async () => await expect.poll(() => location.hash).toBe('#here')
  return { screen, before, goBack, untilHere }
}

async function renderDialog() {
  const shown = await renderScreen()
  await shown.screen.getByRole('button', { name: 'Open' }).click()
  const dialog = shown.screen.getByRole('dialog', { name: 'New Appointment' })
  await expect.element(dialog).toBeVisible()
  return { ...shown, dialog }
}

test('Back closes what is on top, then the dialog below, and only then leaves the page', async () => {
  const { screen, dialog, before, goBack, untilHere } = await renderDialog()
  await screen.getByRole('button', { name: /Length/ }).click()
  const list = screen.getByRole('listbox')
  await expect.element(list).toBeVisible()
  goBack()
  await expect.element(list).not.toBeInTheDocument()
  await untilHere()
  await screen.getByRole('button', { name: 'Delete' }).click()
  const question = screen.getByRole('alertdialog')
  await expect.element(question).toBeVisible()
  goBack()
  await expect.element(question).not.toBeInTheDocument()
  await untilHere()
  await expect.element(dialog).toBeVisible()
  goBack()
  await expect.element(dialog).not.toBeInTheDocument()
  await untilHere()
  goBack()
  await expect.poll(() => location.href).toBe(before)
})

test('Back leaves a dialog open, and the page where it is, if something was typed', async () => {
  const { screen, goBack, untilHere } = await renderDialog()
  const notes = screen.getByRole('textbox', { name: 'Notes' })
  await notes.fill('Cover-up, two sessions')
  const popped = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }))
  goBack()
  await popped
  await untilHere()
  await expect.element(notes).toHaveValue('Cover-up, two sessions')
})

test('Back closes the open list of a dialog into which something was typed', async () => {
  const { screen, dialog, goBack, untilHere } = await renderDialog()
  await screen.getByRole('textbox', { name: 'Notes' }).fill('Cover-up, two sessions')
  await screen.getByRole('button', { name: /Length/ }).click()
  const list = screen.getByRole('listbox')
  await expect.element(list).toBeVisible()
  goBack()
  await expect.element(list).not.toBeInTheDocument()
  await untilHere()
  await expect.element(dialog).toBeVisible()
})

test('Back closes the open list of a field, menu or month, and only then leaves the page', async () => {
  const { screen, before, goBack, untilHere } = await renderScreen()
  for (const [button, role] of [
    [/Status/, 'listbox'],
    ['More', 'menu'],
    [/Calendar/, 'dialog'],
    [/Show the list/, 'listbox'],
  ] as const) {
    await screen.getByRole('button', { name: button }).click()
    const list = screen.getByRole(role)
    await expect.element(list).toBeVisible()
    goBack()
    await expect.element(list).not.toBeInTheDocument()
    await untilHere()
  }
  goBack()
  await expect.poll(() => location.href).toBe(before)
})

type Watcher = EventTarget & { requestClose(): void; destroy(): void }

/** Does what Back does on Android: it asks the newest watcher that is neither used up nor destroyed. */
function androidBack() {
  const scope = globalThis as unknown as { CloseWatcher: new () => Watcher }
  const original = scope.CloseWatcher
  const active = new Set<Watcher>()
  scope.CloseWatcher = class extends original {
    constructor() {
      super()
      active.add(this)
      this.addEventListener('close', () => active.delete(this))
    }
    override destroy() {
      super.destroy()
      active.delete(this)
    }
  }
  onTestFinished(() => {
    scope.CloseWatcher = original
  })
  return { active, goBack: () => [...active].at(-1)?.requestClose() }
}

test('Back on Android closes what is on top, without the history', async () => {
  const { active, goBack } = androidBack()
  const { screen, dialog } = await renderDialog()
  await screen.getByRole('button', { name: /Length/ }).click()
  const list = screen.getByRole('listbox')
  await expect.element(list).toBeVisible()
  goBack()
  await expect.element(list).not.toBeInTheDocument()
  await expect.element(screen.getByRole('button', { name: /Length/ })).toHaveFocus()
  goBack()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(active.size).toBe(0)

  await screen.getByRole('button', { name: 'Open' }).click()
  const notes = screen.getByRole('textbox', { name: 'Notes' })
  await notes.fill('Cover-up, two sessions')
  for (const _ of ['once', 'again']) {
    goBack()
    await expect.element(notes).toHaveValue('Cover-up, two sessions')
  }
  await screen.getByRole('button', { name: 'Close' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(location.hash).toBe('#here')
  expect(active.size).toBe(0)
})

test.each([/Length/, /Show the list Artist/])('Escape closes the list %s and leaves its dialog open', async (name) => {
  const { screen, dialog } = await renderDialog()
  await screen.getByRole('button', { name }).click()
  const list = screen.getByRole('listbox')
  await expect.element(list).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(list).not.toBeInTheDocument()
  await expect.element(dialog).toBeVisible()
})

test('Back that closes a dialog whose URL names it removes the name, and keeps the entry before it', async () => {
  const { screen, before, goBack } = await renderScreen(LinkedDialog)
  const dialog = screen.getByRole('dialog', { name: 'Appointment' })
  await expect.element(dialog).toBeVisible()
  const length = history.length
  goBack()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.poll(() => location.hash).toBe('')
  expect(history.length).toBe(length)
  goBack()
  await expect.poll(() => location.href).toBe(before)
})
