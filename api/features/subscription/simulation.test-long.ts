import { expect, test } from 'vitest'
import { simulateBilling } from '../../testing/billing-simulation/simulate.ts'

/** Other seeds and lengths, for investigations. */
const first = Number(process.env['SIMULATION_SEED'] ?? 1000)
const seeds = Number(process.env['SIMULATION_SEEDS'] ?? 100)
const steps = Number(process.env['SIMULATION_STEPS'] ?? 40)

test(
  `random lives of subscriptions are shown, charged and counted as at Stripe (${seeds} seeds of ${steps} steps)`,
  async () => {
    expect(await simulateBilling(first, seeds, steps)).toEqual([])
  },
  4 * 3_600_000,
)
