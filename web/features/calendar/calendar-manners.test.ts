import { expect, test } from 'vitest'
import { phoneWidth } from '../../lib/use-media-query.ts'
import { longPressMs } from './calendar-manners.ts'
import { entriesPerDay, stepMinutes } from './calendar-range.ts'

test('the calendar has the numbers of spec 9', () => {
  expect([longPressMs, stepMinutes, entriesPerDay]).toEqual([250, 30, 5])
  expect(phoneWidth).toContain('< 768px')
})
