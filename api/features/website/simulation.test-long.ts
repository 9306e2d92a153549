import { expect, test } from 'vitest'
import { simulateSites } from '../../testing/site-simulation/simulate.ts'

/** Other seeds, for investigations. */
const seed = Number(process.env['SIMULATION_SEED'] ?? 1000)
const seeds = Number(process.env['SIMULATION_SEEDS'] ?? 40)

test(
  `what visitors get at every address in three processes agrees with a simple model (${seeds} seeds)`,
  async () => {
    expect(await simulateSites(seed, seeds)).toEqual([])
  },
  2 * 3_600_000,
)
