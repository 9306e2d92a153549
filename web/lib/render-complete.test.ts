import { createElement, Suspense } from 'react'
import { expect, test } from 'vitest'
import { renderComplete } from './render-complete.ts'

test('an element whose part throws or suspends is refused, and any other is rendered', () => {
  const around = (part: () => string) => createElement(Suspense, null, createElement('p', null, createElement(part)))
  const throwing = () => {
    throw new Error('for the test')
  }
  const suspending = () => {
    throw new Promise(() => {})
  }
  for (const part of [throwing, suspending]) expect(() => renderComplete(around(part))).toThrow('could not be rendered')
  expect(renderComplete(around(() => 'whole'))).toContain('<p>whole</p>')
})
