import { expect, test } from 'vitest'
import { offsetOf, zoneMatches, zoneOptions } from './zones.ts'

const winter = new Date('2026-01-15T12:00:00Z')
const summer = new Date('2026-07-15T12:00:00Z')

test.each([
  ['America/New_York', winter, 'GMT-5'],
  ['America/New_York', summer, 'GMT-4'],
  ['Asia/Kolkata', winter, 'GMT+5:30'],
  ['UTC', winter, 'UTC'],
])('the offset of %s on %s is %s', (zone, at, words) => {
  expect(offsetOf(zone, at).replace('GMT+0', 'UTC').replace(/^GMT$/, 'UTC')).toBe(words)
})

test('includes the current time zone even if the browser does not list it', () => {
  const options = zoneOptions('US/Eastern', winter)
  expect(options.filter((option) => option.value === 'US/Eastern')).toEqual([
    { value: 'US/Eastern', label: 'US / Eastern', description: 'GMT-5' },
  ])
  expect(options.filter((option) => option.value === 'Europe/Berlin')).toEqual([
    { value: 'Europe/Berlin', label: 'Europe / Berlin', description: 'GMT+1' },
  ])
  expect(new Set(options.map((option) => option.value)).size).toBe(options.length)
})

test.each(['Asia/Kolkata', 'Asia/Calcutta', 'Europe/Berlin'])(
  'lists each city once, by its name of today, with %s',
  (current) => {
    const options = zoneOptions(current, winter)
    const kolkata = options.filter(({ label }) => label === 'Asia / Kolkata').map(({ value }) => value)
    expect(kolkata).toEqual([
      current.startsWith('Asia') ? current : expect.stringMatching(/^Asia\/(Kolkata|Calcutta)$/),
    ])
    const labels = options.map(({ label }) => label)
    expect(labels).toEqual(labels.toSorted((a, b) => a.localeCompare(b)))
    expect(labels.filter((label) => /Calcutta|Kiev|Saigon/.test(label))).toEqual([])
  },
)

test.each([
  ['Ho Chi', 'Asia / Ho Chi Minh'],
  ['Saigon', 'Asia / Ho Chi Minh'],
  ['kiev', 'Europe / Kyiv'],
  ['Europe/Kiev', 'Europe / Kyiv'],
  ['america/new_york', 'America / New York'],
  ['york', 'America / New York'],
  ['São Paulo', 'America / Sao Paulo'],
  ['', 'Europe / Berlin'],
])('"%s" finds %s', (text, label) => {
  expect(zoneMatches(label, text)).toBe(true)
  expect(zoneMatches(label, `${text} or another`)).toBe(false)
})

test('a former name finds no other city', () => {
  const found = zoneOptions('Europe/Berlin', winter).filter(({ label }) => zoneMatches(label, 'Calcutta'))
  expect(found.map(({ label }) => label)).toEqual(['Asia / Kolkata'])
})
