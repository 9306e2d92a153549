import { expect, test } from 'vitest'
import { simulateConnections } from '../../testing/connection-simulation/simulate.ts'

/** Other seeds and lengths, for investigations. */
const seed = Number(process.env['SIMULATION_SEED'] ?? 1000)
const seeds = Number(process.env['SIMULATION_SEEDS'] ?? 40)
const steps = Number(process.env['SIMULATION_STEPS'] ?? 40)

test(
  `what two artists, their networks and two workers do agrees with a simple model (${seeds} seeds of ${steps} steps)`,
  async () => {
    expect(await simulateConnections(seed, seeds, steps)).toEqual([])
  },
  4 * 3_600_000,
)
