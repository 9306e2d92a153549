import { expect, test } from 'vitest'
import { kinds, type Arrival } from '../../testing/simulation/lane.ts'
import { violations, simulateSlowNetwork } from '../../testing/simulation/simulate.ts'

const second = 1000
const minute = 60 * second

/** The shortest documented time between two polls of one object (docs/networks). */
const shortestPollGapMs = {
  tiktok: 5 * second,
  youtube: 30 * second,
  'instagram video': 15 * second,
  'instagram image': second,
  'instagram carousel': second,
  'facebook photo': 5 * second,
  'facebook reel': 5 * second,
  'facebook video': 5 * second,
  'linkedin video': 5 * second,
  'linkedin image': 5 * second,
}

/** Milliseconds between the polls of each object. */
function gapsOf(arrivals: readonly Arrival[]): number[] {
  const objects = Map.groupBy(
    arrivals.filter(({ polledId }) => polledId !== undefined),
    ({ polledId }) => polledId,
  )
  return [...objects.values()].flatMap((polls) => polls.slice(1).map(({ at }, nth) => at - (polls[nth]?.at ?? 0)))
}

test('polls a slow network no more often than documented, for every kind of post', async () => {
  const outcomes = await simulateSlowNetwork([...kinds, 'instagram carousel'], {
    posts: 1,
    workMs: 9 * minute,
    statusMs: 4 * minute,
  })
  expect(violations(outcomes)).toEqual([])
  for (const { kind, arrivals } of outcomes) {
    const gaps = gapsOf(arrivals)
    // Facebook publishes photos at once.
    expect([kind, gaps.length > 3]).toEqual([kind, kind !== 'facebook photo'])
    expect([kind, Math.min(...gaps, Infinity)]).toSatisfy(
      ([, least]: [string, number]) => least >= shortestPollGapMs[kind],
    )
  }
}, 60_000)

test('starts at most six uploads a minute for one TikTok login, and asks for its options before each', async () => {
  const [outcome] = await simulateSlowNetwork(['tiktok'], { posts: 14, workMs: 20 * second, statusMs: 0 })
  if (!outcome) throw new Error('nothing was simulated')
  expect(violations([outcome])).toEqual([])
  const inits = outcome.arrivals.filter(({ request }) => request.endsWith('/video/init/'))
  expect(inits).toHaveLength(14)
  for (const [nth, { at }] of inits.entries())
    expect(inits.slice(nth).filter((later) => later.at < at + minute).length).toBeLessThanOrEqual(6)
  const steps = outcome.arrivals.flatMap(({ request }) => /creator_info|init/.exec(request)?.[0] ?? [])
  expect(steps).toEqual(inits.flatMap(() => ['creator_info', 'init']))
}, 60_000)
