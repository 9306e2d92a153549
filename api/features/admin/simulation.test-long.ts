import { expect, test } from 'vitest'
import { simulateLists } from '../../testing/list-simulation/simulate.ts'

/** Other seeds, for investigations. */
const seed = Number(process.env['SIMULATION_SEED'] ?? 1000)
const seeds = Number(process.env['SIMULATION_SEEDS'] ?? 100)

test(
  `what artists and staff read in lists agrees with simple models (${seeds} seeds)`,
  async () => {
    expect(await simulateLists(seed, seeds)).toEqual([])
  },
  2 * 3_600_000,
)
