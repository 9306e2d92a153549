import { expect, test } from 'vitest'
import { simulateAccounts } from '../../testing/account-simulation/simulate.ts'

/** Other seeds, for investigations. */
const seed = Number(process.env['SIMULATION_SEED'] ?? 1000)
const seeds = Number(process.env['SIMULATION_SEEDS'] ?? 40)

test(
  `accounts, sessions, links, keys and tokens agree with a simple model (${seeds} seeds)`,
  async () => {
    expect((await simulateAccounts(seed, seeds)).join('\n')).toBe('')
  },
  2 * 3_600_000,
)
