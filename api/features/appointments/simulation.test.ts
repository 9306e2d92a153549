import { expect, test } from 'vitest'
import { simulateBookings } from '../../testing/booking-simulation/simulate.ts'

// The long run is `simulation.test-long.ts`; docs/simulation.md describes how it works.
test('what two artists and their clients do and read agrees with a simple model (1 seed)', async () => {
  expect(await simulateBookings(1, 1)).toEqual([])
}, 120_000)
