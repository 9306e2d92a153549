import { expect, test } from 'vitest'
import { apiPaths } from './api-page.ts'

test('names the type of a field that may be null', () => {
  const page = apiPaths()
  expect(page).toContain('| `errorMessage` | text or null |')
  expect(page).toContain('| `duration` | number or null |')
  expect(page).not.toContain('| any |')
})

test('states the step of a number that has one', () => {
  expect(apiPaths()).toContain('| `bufferMinutes` | body | whole number, 0 to 240, a multiple of 15 | required |')
})
