import { expect, test } from 'vitest'
import { simulateMedia } from '../../testing/media-simulation/simulate.ts'

/** Other seeds and lengths, for investigations. */
const first = Number(process.env['SIMULATION_SEED'] ?? 1000)
const seeds = Number(process.env['SIMULATION_SEEDS'] ?? 40)
const steps = Number(process.env['SIMULATION_STEPS'] ?? 40)

test(
  `what artists upload, use and delete is stored, served and removed as a simple model says (${seeds} seeds of ${steps} steps)`,
  async () => {
    expect(await simulateMedia(first, seeds, steps)).toEqual([])
  },
  4 * 3_600_000,
)
