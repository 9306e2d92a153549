import { expect, test } from 'vitest'
import { runMalformed } from './testing/malformed-run.ts'

/** `MALFORMED_CALLS` sets a smaller number, to find the cause of a failure faster. */
const count = Number(process.env['MALFORMED_CALLS'] ?? 100_000)
/** New for each run. A failure prints it, and `MALFORMED_SEED` repeats that run. */
const seed = Number(process.env['MALFORMED_SEED'] ?? Date.now() % 1_000_000_000)

test(`of ${count} malformed calls, chunked, aborted and raw, none is answered with an internal error`, async () => {
  const { answered, failed, errors, disconnected } = await runMalformed(count, seed)
  const kinds = new Set(failed.map((one) => one.replaceAll(/^(\d+|no answer): (\S+) ([^?\s]*)[^]*$/g, '$1 $2 $3')))
  if (failed.length > 5) console.error([...kinds].slice(0, 200).join('\n'))
  expect(failed.slice(0, 5), `seed ${seed}: ${failed.length} failed`).toEqual([])
  expect(errors.slice(0, 3), `seed ${seed}`).toEqual([])
  expect(answered).toBeGreaterThan(count * 0.7)
  expect(disconnected).toBeGreaterThan(count / 1000)
}, 3_600_000)
