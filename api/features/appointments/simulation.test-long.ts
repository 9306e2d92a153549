import { expect, test } from 'vitest'
import { simulateBookings } from '../../testing/booking-simulation/simulate.ts'

/** Other seeds, for investigations. */
const seed = Number(process.env['SIMULATION_SEED'] ?? 1000)
const seeds = Number(process.env['SIMULATION_SEEDS'] ?? 300)

test(
  `what two artists and their clients do and read agrees with a simple model (${seeds} seeds)`,
  async () => {
    expect(await simulateBookings(seed, seeds)).toEqual([])
  },
  2 * 3_600_000,
)
