import { expect, test } from 'vitest'
import { problemsFirst } from './account-problems.ts'

test('sorts accounts that must be reconnected first, by urgency', () => {
  const well = { health: 'ok', reconnectBy: null } as const
  const accounts = [
    { ...well, name: 'well' },
    { ...well, name: 'in a month', reconnectBy: '2026-12-24T09:00:00.000Z' },
    { ...well, name: 'well too' },
    { name: 'shut', health: 'reconnect', reconnectBy: null },
    { ...well, name: 'in a week', reconnectBy: '2026-12-01T09:00:00.000Z' },
    { name: 'shut too', health: 'reconnect', reconnectBy: '2026-11-01T09:00:00.000Z' },
  ] as const
  expect(problemsFirst(accounts).map(({ name }) => name)).toEqual([
    'shut',
    'shut too',
    'in a week',
    'in a month',
    'well',
    'well too',
  ])
})
