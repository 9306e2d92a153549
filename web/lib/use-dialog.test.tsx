import { expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { Dialog } from '../ui/dialog.tsx'
import { useDialog } from './use-dialog.ts'

/** A screen with two dialogs, each of them rendered after it was shown for the first time. */
function Screen() {
  const opened = useDialog<string>()
  const creating = useDialog<string>()
  return (
    <>
      <button type="button" onClick={() => creating.show('New')}>
        New
      </button>
      <button type="button" onClick={() => opened.show('Sleeve')}>
        Sleeve
      </button>
      {opened.about !== undefined && (
        <Dialog key={opened.key} open={opened.open} onClose={opened.close} title={opened.about}>
          <p>About the sleeve</p>
        </Dialog>
      )}
      {creating.about !== undefined && (
        <Dialog key={creating.key} open={creating.open} onClose={creating.close} title={creating.about}>
          <p>About a new one</p>
        </Dialog>
      )}
    </>
  )
}

test('two dialogs of a screen can be opened and closed in turn', async () => {
  // Of two dialogs with the same key, React would leave one on the page in production. Here it logs an error.
  const consoleError = vi.spyOn(console, 'error')
  const screen = await render(<Screen />)
  for (const name of ['New', 'Sleeve', 'New', 'Sleeve']) {
    await screen.getByRole('button', { name, exact: true }).click()
    const dialog = screen.getByRole('dialog', { name })
    await expect.element(dialog).toBeVisible()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect.element(dialog).not.toBeInTheDocument()
  }
  expect(consoleError).not.toHaveBeenCalled()
  consoleError.mockRestore()
})
