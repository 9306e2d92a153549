import { expect, test } from 'vitest'
import { pollDelayMs } from '../../features/posts/rules/retry.ts'
import { bareAdapters } from '../../testing/bare-adapters.ts'
import type { NetworkAdapter, PublishJob } from './adapter.ts'

/** The milliseconds between the first polls of a network that always answers "still working", by the product's own rules. */
function gaps({ publish }: NetworkAdapter, asked = 0): number[] {
  return Array.from({ length: 30 }, (_, polls) =>
    pollDelayMs(polls, publish.longestPollGapMs, Math.max(publish.shortestPollGapMs, asked)),
  )
}

// The documented gaps are in docs/networks.
test.each([
  ['tiktok', bareAdapters().tiktok, 5000, 60_000],
  ['linkedin', bareAdapters().linkedin, 5000, 10_000],
  ['facebook', bareAdapters().facebook, 5000, 30_000],
  ['youtube', bareAdapters().youtube, 30_000, 60_000],
] as const)('polls %s at growing gaps, and no faster than documented', (_name, adapter, shortest, longest) => {
  const all = gaps(adapter)
  expect(Math.min(...all)).toBe(shortest)
  expect(all.at(-1)).toBe(longest)
  expect(all).toEqual(all.toSorted((a, b) => a - b))
})

test.each([
  [true, 15_000],
  [false, 1000],
])("polls Instagram's container of a video (%s) again after %i ms at the earliest", async (isVideo, shortest) => {
  const adapter = bareAdapters(
    async () => await Promise.resolve(Response.json({ id: '1', status_code: 'IN_PROGRESS' })),
  ).instagram
  const job = {
    accessToken: 't',
    pageId: '1',
    remoteId: null,
    checkpoint: { container: '17', isVideo },
    signal: new AbortController().signal,
    now: () => new Date(),
  } as unknown as PublishJob
  const found = await adapter.publish.confirm(job)
  expect(found).toMatchObject({ state: 'working' })
  expect(Math.min(...gaps(adapter, found.state === 'working' ? found.waitMs : undefined))).toBe(shortest)
})
