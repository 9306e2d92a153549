import { expect, test } from 'vitest'
import { simulateBilling } from '../../testing/billing-simulation/simulate.ts'

// The long run is `simulation.test-long.ts`; docs/simulation.md describes how it works.
test('random lives of subscriptions are shown, charged and counted as at Stripe (1 seed of 12 steps)', async () => {
  expect(await simulateBilling(1, 1, 12)).toEqual([])
})
