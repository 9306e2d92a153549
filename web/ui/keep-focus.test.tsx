import { useState, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { AlertDialog } from './alert-dialog.tsx'
import { Dialog } from './dialog.tsx'
import { delayMs } from './keep-focus.ts'

// `keepFocus` is started by toast-region.tsx, which test-setup.ts loads.

function Rows({
  names,
  children,
  empty = null,
}: {
  names: readonly string[]
  children?: ReactNode
  empty?: ReactNode
}) {
  const [rows, setRows] = useState(names)
  return (
    <main>
      <h2>Times of the week</h2>
      <button>Add a time</button>
      {rows.length === 0 ? (
        empty
      ) : (
        <ul>
          {rows.map((name) => (
            <li key={name}>
              {name}
              <button onClick={() => setRows(rows.filter((row) => row !== name))}>Remove {name}</button>
            </li>
          ))}
        </ul>
      )}
      {children}
    </main>
  )
}

async function pressByKey(name: string): Promise<void> {
  const button = page.getByRole('button', { name })
  await expect.element(button).toBeVisible()
  ;(button.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
}

test('a removed row passes the focus to the next row, the last one to the row before it', async () => {
  await render(<Rows names={['Monday', 'Tuesday', 'Wednesday']} />)
  await pressByKey('Remove Monday')
  const tuesday = page.getByRole('listitem').filter({ hasText: 'Tuesday' })
  await expect.element(tuesday).toHaveFocus()
  // The same key again removes nothing.
  await userEvent.keyboard('{Enter}')
  await userEvent.tab()
  await expect.element(page.getByRole('button', { name: 'Remove Tuesday' })).toHaveFocus()
  expect(tuesday.element().hasAttribute('tabindex')).toBe(false)
  await pressByKey('Remove Wednesday')
  await expect.element(tuesday).toHaveFocus()
})

test('the only row passes the focus to what replaces the list', async () => {
  await render(
    <Rows
      names={['Monday']}
      empty={
        <div>
          <h3>No times yet</h3>
        </div>
      }
    />,
  )
  await pressByKey('Remove Monday')
  await expect.element(page.getByRole('heading', { name: 'No times yet' })).toHaveFocus()
})

test('a removed row keeps no focus that the user has moved away', async () => {
  await render(
    <Rows names={['Monday', 'Tuesday']}>
      <p>Beside the rows</p>
    </Rows>,
  )
  const remove = page.getByRole('button', { name: 'Remove Monday' }).element() as HTMLElement
  remove.focus()
  await userEvent.click(page.getByText('Beside the rows'))
  expect(document.activeElement).toBe(document.body)
  remove.click()
  await expect.element(page.getByRole('button', { name: 'Remove Monday' })).not.toBeInTheDocument()
  // What waits for the same time and begins later, ends later.
  await new Promise((resolve) => {
    setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(resolve)), delayMs)
  })
  expect(document.activeElement).toBe(document.body)
})

function Library() {
  const [isSelected, setIsSelected] = useState(true)
  const [isAsking, setIsAsking] = useState(false)
  return (
    <main>
      <div>
        <h2>Your Media Library</h2>
      </div>
      {isSelected && (
        <div>
          <button onClick={() => setIsAsking(true)}>Delete</button>
        </div>
      )}
      <AlertDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title="Delete this item?"
        action="Delete it"
        onAction={() => {
          setIsAsking(false)
          setIsSelected(false)
        }}
      >
        It is gone for good.
      </AlertDialog>
    </main>
  )
}

test('a dialog whose opener was removed with it passes the focus to the part of the page before it', async () => {
  await render(<Library />)
  await pressByKey('Delete')
  await expect.element(page.getByRole('alertdialog')).toBeVisible()
  await pressByKey('Delete it')
  await expect.element(page.getByRole('heading', { name: 'Your Media Library' })).toHaveFocus()
})

function Keys() {
  const [step, setStep] = useState<'ask' | 'secret' | null>(null)
  const close = () => setStep(null)
  return (
    <main>
      <h2>API keys</h2>
      <button onClick={() => setStep('ask')}>Make a key</button>
      {step === 'secret' ? (
        <Dialog key="secret" open title="Your new key" onClose={close}>
          <button onClick={close}>Done</button>
        </Dialog>
      ) : (
        <Dialog key="ask" open={step === 'ask'} title="Make a key" onClose={close}>
          <button onClick={() => setStep('secret')}>Make the key</button>
        </Dialog>
      )}
    </main>
  )
}

test('a dialog that replaced another one passes the focus to what opened that one', async () => {
  await render(<Keys />)
  await pressByKey('Make a key')
  await pressByKey('Make the key')
  await pressByKey('Done')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Make a key' })).toHaveFocus()
})

function Order() {
  const [isFirst, setIsFirst] = useState(false)
  const [isSaving, setIsSaving] = useState(false)
  return (
    <main>
      <h2>Parts of the page</h2>
      <fieldset aria-label="Place of Work">
        <button disabled={isFirst} onClick={() => setIsFirst(true)}>
          Work earlier
        </button>
        <button onClick={() => setIsFirst(false)}>Work later</button>
      </fieldset>
      <fieldset aria-label="State">
        <label>
          <input type="checkbox" disabled={isSaving} onChange={() => setIsSaving(true)} /> Public
        </label>
      </fieldset>
      <button onClick={() => setIsSaving(false)}>Saved</button>
    </main>
  )
}

test('a button that is disabled by its own press passes the focus to what is around it', async () => {
  await render(<Order />)
  await pressByKey('Work earlier')
  await expect.element(page.getByRole('group', { name: 'Place of Work' })).toHaveFocus()
  await userEvent.tab()
  await expect.element(page.getByRole('button', { name: 'Work later' })).toHaveFocus()
})

test('a switch that is disabled while it is saved gets the focus back', async () => {
  await render(<Order />)
  const isPublic = page.getByRole('checkbox', { name: 'Public' })
  ;(isPublic.element() as HTMLElement).focus()
  await userEvent.keyboard(' ')
  await expect.element(page.getByRole('group', { name: 'State' })).toHaveFocus()
  ;(page.getByRole('button', { name: 'Saved' }).element() as HTMLElement).click()
  await expect.element(isPublic).toHaveFocus()
})
