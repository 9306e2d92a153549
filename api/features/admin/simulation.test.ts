import { expect, test } from 'vitest'
import { simulateLists } from '../../testing/list-simulation/simulate.ts'

// The long run is `simulation.test-long.ts`; docs/simulation.md describes how it works.
test('what artists and staff read in lists agrees with simple models (1 seed)', async () => {
  expect(await simulateLists(1, 1)).toEqual([])
}, 120_000)
