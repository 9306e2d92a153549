import { expect, test } from 'vitest'
import { violations, countByEnd, simulate } from '../../testing/simulation/simulate.ts'

/** Other seeds and numbers of posts, for investigations. */
const seed = Number(process.env['SIMULATION_SEED'] ?? 100_000)
const posts = Number(process.env['SIMULATION_POSTS'] ?? 10_000)

test(
  `with unreliable networks and workers that die and sleep, publishes no post twice, loses none and reports each outcome (${posts} posts)`,
  async () => {
    const outcomes = await simulate(posts, seed)
    console.log(countByEnd(outcomes))
    expect(violations(outcomes)).toEqual([])
  },
  4 * 3_600_000,
)
