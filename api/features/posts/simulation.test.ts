import { expect, test } from 'vitest'
import { violations, simulate } from '../../testing/simulation/simulate.ts'

// The long run is `simulation.test-long.ts`; docs/simulation.md describes how it works.
// Each of these seeds once found a bug that the run below did not.
test.each([
  [5129, 'a worker that dies during a token refresh blocks no other'],
  [777_925, 'a session of YouTube that denied a video and is then lost is not replaced'],
  [103_255, 'a video that LinkedIn lost before it was finalized is uploaded again'],
])('publishing by seed %i: %s', async (seed) => {
  expect(violations(await simulate(1, seed))).toEqual([])
})

test('with unreliable networks and workers that die and sleep, publishes no post twice, loses none and reports each outcome (30 posts)', async () => {
  expect(violations(await simulate(30, 1))).toEqual([])
}, 120_000)
