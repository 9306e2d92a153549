import { expect, test } from 'vitest'
import { simulateSites } from '../../testing/site-simulation/simulate.ts'

// The long run is `simulation.test-long.ts`; docs/simulation.md describes how it works.
test('what visitors get at every address in three processes agrees with a simple model (one short seed)', async () => {
  expect(await simulateSites(1, 1, { steps: 4, breaksConnections: false })).toEqual([])
}, 120_000)
