import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../core/config.ts'
import { pollDelay } from '../../features/posts/rules/retry.ts'
import { createFacebookAdapter } from './facebook/adapter.ts'
import type { NetworkAdapter, PublishJob } from './adapter.ts'
import type { Send } from './http.ts'
import { createInstagramAdapter } from './instagram/adapter.ts'
import { createLinkedinAdapter } from './linkedin/adapter.ts'
import { createTiktokAdapter } from './tiktok/adapter.ts'
import { createYoutubeAdapter } from './youtube/adapter.ts'

const keys = Object.fromEntries(
  ['FACEBOOK_APP', 'INSTAGRAM_APP', 'YOUTUBE_CLIENT', 'LINKEDIN_CLIENT'].flatMap((name) => [
    [`${name}_ID`, 'id'],
    [`${name}_SECRET`, 'secret'],
  ]),
)
const { networks, versions } = readConfig({
  DATA_DIR: mkdtempSync(path.join(tmpdir(), 'flashsheet-poll-gaps-')),
  DATABASE_URL: 'postgres://localhost/none',
  TIKTOK_CLIENT_KEY: 'id',
  TIKTOK_CLIENT_SECRET: 'secret',
  ...keys,
})
const now = () => new Date()

function made<C>(
  create: (config: C, known: typeof versions, clock: () => Date, send?: Send) => NetworkAdapter,
  config: C | undefined,
  send?: Send,
): NetworkAdapter {
  if (config === undefined) throw new Error('the network has no keys')
  return create(config, versions, now, send)
}

/** The gaps between the first polls of a network that always answers "still working", as the core computes them. */
function gaps({ publish }: NetworkAdapter, asked = 0): number[] {
  return Array.from({ length: 30 }, (_, polls) =>
    pollDelay(polls, publish.longestPollGapMs, Math.max(publish.shortestPollGapMs, asked)),
  )
}

// The documented gaps are in docs/networks.
test.each([
  ['tiktok', made(createTiktokAdapter, networks.tiktok), 5000, 60_000],
  ['linkedin', made(createLinkedinAdapter, networks.linkedin), 5000, 10_000],
  ['facebook', made(createFacebookAdapter, networks.facebook), 5000, 30_000],
  ['youtube', made(createYoutubeAdapter, networks.youtube), 30_000, 60_000],
] as const)('%s is never polled faster than documented, and at growing gaps', (_name, adapter, shortest, longest) => {
  const all = gaps(adapter)
  expect(Math.min(...all)).toBe(shortest)
  expect(all.at(-1)).toBe(longest)
  expect(all).toEqual(all.toSorted((a, b) => a - b))
})

test.each([
  [true, 15_000],
  [false, 1000],
])("Instagram's container of a video (%s) is polled again after %i ms at the earliest", async (isVideo, shortest) => {
  const adapter = made(
    createInstagramAdapter,
    networks.instagram,
    async () => await Promise.resolve(Response.json({ id: '1', status_code: 'IN_PROGRESS' })),
  )
  const job = {
    accessToken: 't',
    pageId: '1',
    remoteId: null,
    checkpoint: { container: '17', isVideo },
    signal: new AbortController().signal,
    now,
  } as unknown as PublishJob
  const found = await adapter.publish.confirm(job)
  expect(found).toMatchObject({ state: 'working' })
  expect(Math.min(...gaps(adapter, found.state === 'working' ? found.waitMs : undefined))).toBe(shortest)
})
