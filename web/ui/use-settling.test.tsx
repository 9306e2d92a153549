import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { AlertDialog } from './alert-dialog.tsx'
import { Dialog } from './dialog.tsx'
import { useSettling } from './use-settling.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

function Rows({ count }: { count: number }) {
  return <p data-settling={useSettling(count)}>{count} rows</p>
}

test('buttons take no pointer for the time of a double tap, again after each change', async () => {
  const screen = await render(<Rows count={3} />)
  const isSettling = () => screen.container.querySelector('[data-settling]') !== null
  for (const count of [3, 2]) {
    await screen.rerender(<Rows count={count} />)
    expect(isSettling()).toBe(true)
    vi.advanceTimersByTime(300)
    // React has shown the end of the time by the second frame.
    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame)
    expect(isSettling()).toBe(true)
    vi.advanceTimersByTime(100)
    await vi.waitFor(() => expect(isSettling()).toBe(false))
  }
})

test.each([
  ['dialog', Dialog],
  ['alertdialog', AlertDialog],
] as const)('a double tap that closes a %s does not press what is below it', async (role, Cover) => {
  const content = (isOpen: boolean) => (
    <>
      <button style={{ position: 'fixed', inset: 0 }}>Post Now</button>
      <Cover open={isOpen} onClose={() => {}} title="Your post" action="Delete" onAction={() => {}}>
        It goes out tomorrow.
      </Cover>
    </>
  )
  const screen = await render(content(true))
  await expect.element(screen.getByRole(role)).toBeInTheDocument()
  await screen.rerender(content(false))
  while (document.querySelector(`[role=${role}]`)) await new Promise(requestAnimationFrame)
  const hit = () => document.elementFromPoint(innerWidth / 2, innerHeight - 40)?.textContent
  vi.advanceTimersByTime(300)
  expect(hit()).not.toBe('Post Now')
  vi.advanceTimersByTime(100)
  expect(hit()).toBe('Post Now')
})
