import { flushSync } from 'react-dom'
import type { PressEvent } from 'react-aria-components'

/** Adds a row when a button below the rows is pressed, and moves the focus to the first control of the new row. */
export function focusAdded({ target }: PressEvent, add: () => void): void {
  const around = target.closest('main, [role="dialog"]') ?? document.body
  const controls = () => [...around.querySelectorAll<HTMLElement>('input:not([type="hidden"]), button')]
  const before = new Set(controls())
  flushSync(add)
  controls()
    .find((control) => !before.has(control))
    ?.focus()
}
