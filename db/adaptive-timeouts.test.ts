import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { adaptiveTimeoutsOf } from './adaptive-timeouts.ts'
import { runInRequestContext } from './request-context.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

test('after a statement had no answer, the others of its server get at most a second, for two seconds', () => {
  const timeouts = adaptiveTimeoutsOf('postgres://silent', true)
  timeouts.timeoutOf(3000).unanswered()
  const others = [
    adaptiveTimeoutsOf('postgres://silent', true),
    adaptiveTimeoutsOf('postgres://silent', false),
    adaptiveTimeoutsOf('postgres://another', true),
  ]
  expect(others.map((one) => one.timeoutOf(3000).ms)).toEqual([1000, 3000, 3000])
  expect(timeouts.timeoutOf(500).ms).toBe(500)
  vi.advanceTimersByTime(1999)
  // The answer to a shortened statement may only be slow.
  timeouts.timeoutOf(3000).unanswered()
  vi.advanceTimersByTime(1)
  expect(timeouts.timeoutOf(3000).ms).toBe(3000)
})

test('a request waits for the timeout of one statement, shortened or not, and its others fail unsent for two seconds', async () => {
  const timeouts = adaptiveTimeoutsOf('postgres://mute', true)
  timeouts.timeoutOf(3000).unanswered()
  await runInRequestContext(async () => {
    timeouts.timeoutOf(3000).unanswered()
    expect(timeouts.timeoutOf(3000).ms).toBe(0)
    vi.advanceTimersByTime(2000)
    expect(timeouts.timeoutOf(3000).ms).toBe(3000)
    await Promise.resolve()
  })
})
