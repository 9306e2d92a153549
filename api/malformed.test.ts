import { expect, test } from 'vitest'
import { runMalformed } from './testing/malformed-run.ts'

/** Fixed, so that each run sends the same calls; `malformed.test-long.ts` has a new seed for each run. */
const seed = Number(process.env['MALFORMED_SEED'] ?? 17)

test('none of 400 malformed calls, chunked, aborted or raw, is answered with an internal error', async () => {
  const { answered, failed, errors, disconnected } = await runMalformed(400, seed)
  expect(failed.slice(0, 5), `seed ${seed}: ${failed.length} failed`).toEqual([])
  expect(errors.slice(0, 3), `seed ${seed}`).toEqual([])
  expect(answered).toBeGreaterThan(250)
  expect(disconnected).toBeGreaterThan(0)
}, 120_000)
