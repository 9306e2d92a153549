// The global styles, which index.html loads in the app.
import './ui/base.css'
// Loaded by then, the region shows a toast of a test before that test ends.
import './ui/toast-region.tsx'
import { afterEach, vi } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'

// Files share a page: what a test rendered and said, and how wide it made the window, ends with it.
afterEach(async () => {
  await cleanup()
  const closers = page.getByRole('alertdialog').getByRole('button', { name: 'Close' })
  await vi.waitUntil(
    () => {
      for (const closer of closers.elements()) (closer as HTMLElement).click()
      return closers.elements().length === 0
    },
    { timeout: 10_000 },
  )
  await page.viewport(390, 844)
})
