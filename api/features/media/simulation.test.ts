import { expect, test } from 'vitest'
import { simulateMedia } from '../../testing/media-simulation/simulate.ts'

// The long run is `simulation.test-long.ts`; docs/simulation.md describes how it works.
test('what artists upload, use and delete is stored, served and removed as a simple model says (a seed of 3 steps)', async () => {
  expect(await simulateMedia(1, 1, 3)).toEqual([])
}, 120_000)
