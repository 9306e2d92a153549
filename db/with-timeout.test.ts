import { expect, test } from 'vitest'
import { withTimeout } from './with-timeout.ts'

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

test.each([
  ['is done', async () => await withTimeout(Promise.resolve('done'), 60_000, 'late')],
  ['fails', async () => await withTimeout(Promise.reject(new Error('no')), 60_000, 'late').catch(() => 'failed')],
])('leaves no timer behind when the work %s, which would delay the end of the process', async (_how, run) => {
  const before = timers()
  expect(await run()).not.toBe('late')
  expect(timers()).toBeLessThanOrEqual(before)
})
