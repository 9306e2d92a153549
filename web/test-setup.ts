// The global styles, which index.html loads in the app.
import './ui/base.css'
// Loaded in advance, so that a toast is shown before its test ends.
import './ui/toast-region.tsx'
import { afterEach, vi } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'

// Test files share a page: each test removes what it rendered and its toasts, and restores the window's size.
afterEach(async () => {
  await cleanup()
  const closeButtons = page.getByRole('alertdialog').getByRole('button', { name: 'Close' })
  await vi.waitUntil(
    () => {
      for (const button of closeButtons.elements()) (button as HTMLElement).click()
      return closeButtons.elements().length === 0
    },
    { timeout: 10_000 },
  )
  await page.viewport(390, 844)
})
