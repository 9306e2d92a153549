import { expect, test } from 'vitest'
import type { ConcurrentPublish } from './adapter.ts'
import { findOwnPost } from './ambiguous-posts.ts'

const at = (minute: number) => new Date(Date.UTC(2027, 0, 1, 12, minute))
const posts = [
  { id: 'second', at: at(1).getTime() },
  { id: 'first', at: at(0).getTime() },
]
const other = (change: Partial<ConcurrentPublish> = {}): ConcurrentPublish => ({
  targetId: 'other',
  title: '',
  message: '',
  checkpoint: {},
  knownIds: [],
  isInDoubt: true,
  awaitsAnswer: false,
  firstPublishAt: at(0),
  lastPublishAt: at(0),
  ...change,
})
/** Which of two posts belongs to a target that was sent at minute 1, beside another target. */
const find = async (
  change: Partial<ConcurrentPublish>,
  { targetId = 'own', firstPublishAt = at(1), now = at(60) } = {},
) =>
  await findOwnPost(
    {
      targetId,
      firstPublishAt,
      lastPublishAt: at(1),
      now: () => now,
      concurrentPublishes: async () => await Promise.resolve([other(change)]),
    },
    posts,
    () => true,
  )

test('two targets take their posts in the order of their first calls, however the network lists them', async () => {
  expect(await find({})).toEqual({ id: 'second', isUnambiguous: true })
  expect(await find({ firstPublishAt: at(2), lastPublishAt: at(2) }, { firstPublishAt: at(0) })).toEqual({
    id: 'first',
    isUnambiguous: true,
  })
})

test('two targets that were first sent in the same millisecond take different posts', async () => {
  const sameTime = { firstPublishAt: at(0) }
  expect(await find({ targetId: 'a' }, { targetId: 'b', ...sameTime })).toMatchObject({ id: 'second' })
  expect(await find({ targetId: 'b' }, { targetId: 'a', ...sameTime })).toMatchObject({ id: 'first' })
})

test.each([
  ['after both posts', { firstPublishAt: at(3), lastPublishAt: at(3) }],
  ['more than an hour before both', { firstPublishAt: at(-90), lastPublishAt: at(-61) }],
])('a target that was sent %s takes none of them', async (_when, change) => {
  expect(await find(change)).toEqual({ id: 'first', isUnambiguous: false })
})

test('while the call of the other target is under way, no post is taken for a quarter of an hour', async () => {
  expect(await find({ awaitsAnswer: true }, { now: at(15) })).toBe('later')
  expect(await find({ awaitsAnswer: true }, { now: at(16) })).toMatchObject({ id: 'second' })
})
