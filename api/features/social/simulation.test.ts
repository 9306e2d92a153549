import { expect, test } from 'vitest'
import { simulateConnections } from '../../testing/connection-simulation/simulate.ts'

// The long run is `simulation.test-long.ts`; docs/simulation.md describes how it works.
test('what two artists, their networks and two workers do agrees with a simple model (1 seed of 4 steps)', async () => {
  expect(await simulateConnections(3, 1, 4)).toEqual([])
}, 120_000)
