import { useState } from 'react'
import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { AlertDialog } from './alert-dialog.tsx'
import { Button } from './button.tsx'
import { Checkbox } from './checkbox.tsx'
import { Dialog } from './dialog.tsx'

const rootBackground = () => {
  const { backgroundColor, backgroundImage } = getComputedStyle(document.documentElement)
  return { backgroundColor, backgroundImage }
}
const paper = { backgroundColor: 'rgb(245, 240, 230)', backgroundImage: 'none' }
/** The scrollbar gutter shows the root's background colour only, so a background image would leave it light. */
const paperBelowScrim = { backgroundColor: 'rgb(147, 143, 136)', backgroundImage: 'none' }

test('the scrollbar gutter darkens with the page behind a dialog', async () => {
  const screen = await render(
    <Dialog open={false} onClose={() => {}} title="Your hours">
      <p>Tuesday to Saturday</p>
    </Dialog>,
  )
  expect(rootBackground()).toEqual(paper)
  await screen.rerender(
    <Dialog open onClose={() => {}} title="Your hours">
      <p>Tuesday to Saturday</p>
    </Dialog>,
  )
  await expect.element(screen.getByRole('dialog', { name: 'Your hours' })).toBeVisible()
  await expect.poll(rootBackground).toEqual(paperBelowScrim)
})

function Notes() {
  const [isOpen, setIsOpen] = useState(true)
  return (
    <>
      <button onClick={() => setIsOpen(true)}>Open</button>
      <Dialog open={isOpen} onClose={() => setIsOpen(false)} title="Notes">
        <textarea aria-label="Notes" />
      </Dialog>
    </>
  )
}

test('a tap beside a dialog closes it, unless something was typed into it', async () => {
  const screen = await render(<Notes />)
  const dialog = screen.getByRole('dialog', { name: 'Notes' })
  const tapBeside = async () => await userEvent.click(document.body, { position: { x: 5, y: 5 } })
  await screen.getByRole('textbox').fill('Cover-up, two sessions')
  await tapBeside()
  await expect.element(screen.getByRole('textbox')).toHaveValue('Cover-up, two sessions')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await screen.getByRole('button', { name: 'Open' }).click()
  await expect.element(dialog).toBeVisible()
  // The first tap may come as soon as the second of a double tap, which closes nothing.
  await expect
    .poll(async () => {
      await tapBeside()
      return dialog.query()
    })
    .toBeNull()
})

test('on a phone in landscape the buttons of a dialog are side by side, so that its content keeps room', async () => {
  await page.viewport(740, 360)
  const screen = await render(
    <Dialog
      open
      onClose={() => {}}
      title="Your hours"
      actions={
        <>
          <Button>Cancel</Button>
          <Button variant="primary">Save</Button>
        </>
      }
    >
      <p>Tuesday to Saturday</p>
    </Dialog>,
  )
  const save = screen.getByRole('button', { name: 'Save' })
  await expect.element(save).toBeVisible()
  const topOf = (name: string) => screen.getByRole('button', { name }).element().getBoundingClientRect().top
  expect(topOf('Cancel')).toBe(topOf('Save'))
})

function AskFromAnywhere({ isAlert, onDelete }: { isAlert: boolean; onDelete: () => void }) {
  const [isOpen, setIsOpen] = useState(false)
  const dialog = { open: isOpen, onClose: () => setIsOpen(false), title: 'Delete it?' }
  return (
    <>
      <button style={{ position: 'fixed', inset: 0 }} onClick={() => setIsOpen(true)}>
        Open
      </button>
      {isAlert ? (
        <AlertDialog {...dialog} action="Delete" onAction={onDelete}>
          It is gone for good.
        </AlertDialog>
      ) : (
        <Dialog {...dialog} actions={<Button onPress={onDelete}>Delete</Button>}>
          It is gone for good.
        </Dialog>
      )}
    </>
  )
}

test.each([{ isAlert: false }, { isAlert: true }])(
  'a double click on what opens a dialog does not press its button, isAlert: $isAlert',
  async ({ isAlert }) => {
    // On a phone the dialog slides in, so the second press may land beside it.
    await page.viewport(1440, 900)
    let presses = 0
    const screen = await render(<AskFromAnywhere isAlert={isAlert} onDelete={() => (presses += 1)} />)
    const open = screen.getByRole('button', { name: 'Open' })
    const remove = screen.getByRole('button', { name: 'Delete' })
    await open.click()
    await expect.element(remove).toBeVisible()
    const { x, y, width, height } = remove.element().getBoundingClientRect()
    await userEvent.keyboard('{Escape}')
    await expect.element(remove).not.toBeInTheDocument()
    await open.dblClick({ position: { x: x + width / 2, y: y + height / 2 } })
    await expect.element(remove).toBeVisible()
    expect(presses).toBe(0)
    await remove.click()
    expect(presses).toBe(1)
  },
)

test('a double click on what opens a dialog, beside the dialog, leaves it open', async () => {
  await page.viewport(1440, 900)
  const screen = await render(<AskFromAnywhere isAlert={false} onDelete={() => {}} />)
  await screen.getByRole('button', { name: 'Open' }).dblClick({ position: { x: 5, y: 5 } })
  await screen.getByRole('button', { name: 'Delete' }).click()
  await expect.element(screen.getByRole('dialog', { name: 'Delete it?' })).toBeVisible()
})

test('two buttons of a sheet of a fixed height fill a narrow phone, each with its label in one line', async () => {
  await page.viewport(360, 780)
  const screen = await render(
    <Dialog
      open
      steady
      onClose={() => {}}
      title="Add to your gallery"
      actions={
        <>
          <Button icon={<svg viewBox="0 0 24 24" />}>Upload pictures</Button>
          <Button variant="primary">Add</Button>
        </>
      }
    >
      <p>Your Media Library</p>
    </Dialog>,
  )
  await expect.element(screen.getByRole('button', { name: 'Add' })).toBeVisible()
  const box = (name: string) => screen.getByRole('button', { name, exact: true }).element().getBoundingClientRect()
  expect(box('Upload pictures').height).toBe(44)
  const sheet = screen.getByRole('dialog').element().getBoundingClientRect()
  expect(box('Upload pictures').left).toBe(sheet.left + 20)
  expect(box('Add').right).toBe(sheet.right - 20)
})

test('the keyboard of a phone covers neither the fields of a sheet nor its buttons', async () => {
  const { visualViewport } = window
  if (!visualViewport) throw new Error('there is no visual viewport')
  onTestFinished(() => {
    Reflect.deleteProperty(visualViewport, 'height')
    visualViewport.dispatchEvent(new Event('resize'))
  })
  const screen = await render(
    <Dialog
      open
      onClose={() => {}}
      title="New Appointment"
      actions={
        <>
          <Button>Cancel</Button>
          <Button variant="primary">Create</Button>
        </>
      }
    >
      {Array.from({ length: 12 }, (_, index) => (
        <p key={index}>
          <input aria-label={`Field ${index + 1}`} />
        </p>
      ))}
    </Dialog>,
  )
  const create = screen.getByRole('button', { name: 'Create' })
  const last = screen.getByRole('textbox', { name: 'Field 12' })
  await expect.element(create).toBeVisible()
  ;(last.element() as HTMLElement).focus()
  Object.defineProperty(visualViewport, 'height', { configurable: true, value: 420 })
  visualViewport.dispatchEvent(new Event('resize'))
  const bottomOf = (one: typeof create) => one.element().getBoundingClientRect().bottom
  await expect.poll(() => bottomOf(create)).toBeLessThan(420)
  last.element().scrollIntoView()
  expect(bottomOf(last)).toBeLessThan(bottomOf(create))
})

test('a checkbox that gets the focus is scrolled into view within its dialog', async () => {
  const screen = await render(
    <Dialog open onClose={() => {}} title="Hours" actions={<Button>Save</Button>}>
      {Array.from({ length: 30 }, (_, index) => (
        <Checkbox key={index} checked={false} onChange={() => {}}>
          Day {index + 1}
        </Checkbox>
      ))}
    </Dialog>,
  )
  const save = screen.getByRole('button', { name: 'Save' })
  await expect.element(save).toBeVisible()
  const last = screen.getByRole('checkbox', { name: 'Day 30' }).element() as HTMLElement
  const rectOf = (element: Element | null) => element?.getBoundingClientRect() ?? new DOMRect()
  last.focus()
  expect(rectOf(last.closest('label')).bottom).toBeLessThan(rectOf(save.element()).top)
})

test('a long name without spaces makes a confirmation no wider', async () => {
  await page.viewport(390, 844)
  await render(
    <AlertDialog open onClose={() => {}} title="Delete?" action="Delete" onAction={() => {}}>
      <p>Delete {'W'.repeat(100)}?</p>
    </AlertDialog>,
  )
  const dialog = page.getByRole('alertdialog')
  await expect.element(dialog).toBeVisible()
  expect(dialog.element().scrollWidth).toBe(dialog.element().clientWidth)
})
