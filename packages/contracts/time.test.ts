import { expect, test } from 'vitest'
import { hasPassed, isSameZone, zoneLabel } from './time.ts'

const now = 1_000_000

test.each([
  ['a second from now', now + 1000, 0, false],
  ['now', now, 0, true],
  ['now, with a grace', now, 60, false],
  ['as long ago as the grace', now - 60_000, 60, false],
  ['longer ago than the grace', now - 60_001, 60, true],
])('a time %s', (_when, at, graceSeconds, expected) => {
  expect(hasPassed(at, now, graceSeconds)).toBe(expected)
})

test('a time zone is named by its city', () => {
  expect(zoneLabel('America/New_York')).toBe('New York time')
  expect(zoneLabel('UTC')).toBe('UTC time')
  // Browsers list it by its former name.
  expect(zoneLabel('Europe/Kiev')).toBe('Kyiv time')
})

test('a time zone without a city is named by its distance from UTC', () => {
  expect(zoneLabel('Etc/GMT+5')).toBe('UTC-5 time')
  expect(zoneLabel('Etc/GMT-14')).toBe('UTC+14 time')
})

test.each([
  ['Asia/Calcutta', 'Asia/Kolkata', true],
  ['Asia/Kolkata', 'Asia/Kathmandu', false],
  ['Brazil/West', 'Australia/West', false],
])('whether %s and %s are the same time zone: %s', (one, other, same) => {
  expect(isSameZone(one, other)).toBe(same)
})
