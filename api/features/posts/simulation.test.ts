import { expect, test } from 'vitest'
import { violations, simulate } from '../../testing/simulation/simulate.ts'

// The long run is `simulation.test-long.ts`; how it works stands in docs/simulation.md.
// Each of these once showed something that the run below did not.
test.each([
  [5129, 'a worker that dies while it renews a log-in is waited for by nobody'],
  [103_255, 'a video that LinkedIn lost before it was finalized is uploaded anew'],
])('publishing by seed %i: %s', async (seed) => {
  expect(violations(await simulate(1, seed))).toEqual([])
})

test('publishing at networks that lie, by workers that die and sleep, makes no post twice, loses none and says what became of each (45 posts)', async () => {
  expect(violations(await simulate(45, 1))).toEqual([])
}, 120_000)
