import { expect, test } from 'vitest'
import { phoneWidth } from '../../ui/use-media-query.ts'
import { longPressMs } from './long-press.ts'
import { entriesPerDay, stepMinutes } from './calendar-range.ts'

test('a long press takes 250 ms, a step is 30 minutes, and a day of the month shows 5 entries', () => {
  expect([longPressMs, stepMinutes, entriesPerDay]).toEqual([250, 30, 5])
  expect(phoneWidth).toContain('< 48em')
})
