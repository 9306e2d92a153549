import React from 'react'
import { flushSync } from 'react-dom'

// Tests may fake the clock.
const { setTimeout } = globalThis

/**
 * The production build of React has no `act`, with which vitest-browser-react renders: it must be there before that
 * package is loaded. This one runs `change`, and resolves once what that changed at once is rendered.
 */
const act = async (change: () => unknown): Promise<void> => {
  await flushSync(change)
  await new Promise((resolve) => setTimeout(resolve))
}
Object.assign(React, { act })
