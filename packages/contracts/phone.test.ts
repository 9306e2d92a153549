import { expect, test } from 'vitest'
import { dialledNumber } from './phone.ts'

test.each([
  ['(555) 010-1234', '5550101234'],
  ['+1 555 010 1234', '+15550101234'],
  ['555-010-1234 x12', '5550101234'],
  ['+1 (555) 010-1234 ext. 12', '+15550101234'],
  ['555 010 1234 #12', '5550101234'],
  ['555 010 1234, 12', '5550101234'],
  ['after 5: 030/1234567', '0301234567'],
  // As iOS copies a number of its contacts.
  ['\u202a+1\u00a0(555)\u00a0010\u20111234\u202c', '+15550101234'],
  ['5a5b5', '555'],
])('%s is dialled as %s', (phone, dialled) => {
  expect(dialledNumber(phone)).toBe(dialled)
})
