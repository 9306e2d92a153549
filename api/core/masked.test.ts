import { expect, test } from 'vitest'
import { maskedEmail, maskedName, maskedPhone } from './masked.ts'

test.each([
  ['Clara Reyes', 'C••• R•••'],
  ['  Øyvind ', 'Ø•••'],
  ['', ''],
])('the name %s', (name, masked) => {
  expect(maskedName(name)).toBe(masked)
})

test.each([
  ['clara.reyes@mail.example.com', 'c•••@m•••.com'],
  ['a@b', 'a•••@b•••'],
  ['nonsense', '•••'],
  ['', ''],
])('the address %s', (email, masked) => {
  expect(maskedEmail(email)).toBe(masked)
})

test.each([
  ['+1 (212) 555-0134', '•••34'],
  ['7', '•••7'],
  ['', ''],
])('the number %s', (phone, masked) => {
  expect(maskedPhone(phone)).toBe(masked)
})
