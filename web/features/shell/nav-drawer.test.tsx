import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { renderWithAnswers } from '../../test-fixture.tsx'
import { NavDrawer } from './nav-drawer.tsx'

test('a double tap on a link of the drawer does not press what is below it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const content = (isOpen: boolean) => (
    <>
      <button style={{ position: 'fixed', inset: 0 }}>Pause the queue</button>
      <NavDrawer open={isOpen} onClose={() => {}} nav={() => <a href="#queue">Queue</a>} />
    </>
  )
  const screen = await renderWithAnswers(content(true), {})
  await expect.element(page.getByRole('dialog', { name: 'Menu' })).toBeInTheDocument()
  await screen.rerender(content(false))
  while (document.querySelector('[role=dialog]')) await new Promise(requestAnimationFrame)
  const hit = () => document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.textContent
  vi.advanceTimersByTime(300)
  expect(hit()).not.toBe('Pause the queue')
  vi.advanceTimersByTime(100)
  expect(hit()).toBe('Pause the queue')
})
