import { expect, test } from 'vitest'
import { simulatePlanning } from '../../testing/planning-simulation/simulate.ts'

/** Other seeds and lengths, for investigations. */
const seed = Number(process.env['SIMULATION_SEED'] ?? 1000)
const seeds = Number(process.env['SIMULATION_SEEDS'] ?? 40)
const steps = Number(process.env['SIMULATION_STEPS'] ?? 40)

test(
  `what two artists plan agrees with a simple model, and is published so (${seeds} seeds of ${steps} steps)`,
  async () => {
    expect(await simulatePlanning(seed, seeds, steps)).toEqual([])
  },
  2 * 3_600_000,
)
