import { useState } from 'react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ada } from '../test-fixture.tsx'
import { rememberUser } from './remembered-user.ts'
import { useUnsentText } from './session-end.ts'

function Form() {
  const [note, setNote] = useState('')
  useUnsentText('note', note === '' ? undefined : note, setNote)
  return (
    <>
      <input aria-label="Note" value={note} onChange={(event) => setNote(event.target.value)} />
      <button onClick={() => setTimeout(() => setNote(''))}>Send</button>
    </>
  )
}
const note = page.getByLabelText('Note')
const stored = () => Object.entries(sessionStorage) as [string, string][]

function become(visibility: DocumentVisibilityState) {
  const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility)
  onTestFinished(() => state.mockRestore())
  document.dispatchEvent(new Event('visibilitychange'))
}

beforeEach(() => {
  rememberUser(ada)
  sessionStorage.clear()
})
afterEach(() => rememberUser(null))

async function typedInBackground() {
  const screen = await render(<Form />)
  await note.fill('Bring the drawing')
  become('hidden')
  return screen
}

test('what was typed is restored after the browser has ended the page in the background', async () => {
  const { unmount } = await typedInBackground()
  const left = stored()
  await unmount()
  for (const [key, value] of left) sessionStorage.setItem(key, value)
  become('visible')
  await render(<Form />)
  await expect.element(note).toHaveValue('Bring the drawing')
})

test.each([
  ['once the window is seen again', async () => become('visible')],
  [
    'once it was sent',
    async () => {
      await page.getByRole('button', { name: 'Send' }).click()
      await expect.element(note).toHaveValue('')
    },
  ],
])('what was typed in a page that goes on is stored no longer: %s', async (_when, go) => {
  await typedInBackground()
  expect(stored()).not.toEqual([])
  await go()
  expect(stored()).toEqual([])
})

test('what was typed is stored no longer once the form was closed in the background', async () => {
  const { unmount } = await typedInBackground()
  await unmount()
  expect(stored()).toEqual([])
})
