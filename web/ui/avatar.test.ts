import { expect, test } from 'vitest'
import { initialsOf } from './avatar.tsx'

test.each([
  ['Mara Lindqvist', 'ML'],
  ['  juan  carlos  de la vega ', 'JV'],
  ['Cher', 'C'],
  ['', 'U'],
  ['   ', 'U'],
  ['𝒜da Öz', '𝒜Ö'],
])('initials of "%s" are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
