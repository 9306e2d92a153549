import { expect, test } from 'vitest'
import { simulatePlanning } from '../../testing/planning-simulation/simulate.ts'

// The long run is `planning-simulation.test-long.ts`; docs/simulation.md describes how it works.
test('what two artists plan agrees with a simple model, and is published so (a seed of 8 steps)', async () => {
  expect(await simulatePlanning(1, 1, 8)).toEqual([])
}, 120_000)
