import { expect, test } from 'vitest'
import { TimeZone } from './schema.ts'

test.each(['+02:00', '-05', 'Mars/Olympus', ''])('a time zone is refused unless it is an IANA zone: %j', (zone) => {
  expect(TimeZone.safeParse(zone).success).toBe(false)
})

test.each(['America/New_York', 'Etc/GMT+5', 'UTC'])('a time zone may be any IANA zone: %s', (zone) => {
  expect(TimeZone.safeParse(zone).success).toBe(true)
})
