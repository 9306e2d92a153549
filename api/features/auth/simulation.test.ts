import { expect, test } from 'vitest'
import { simulateAccounts } from '../../testing/account-simulation/simulate.ts'

// The long run is `simulation.test-long.ts`; docs/simulation.md describes how it works.
test('accounts, sessions, links, keys and tokens agree with a simple model (1 seed)', async () => {
  expect(await simulateAccounts(1, 1, 15)).toEqual([])
}, 120_000)
