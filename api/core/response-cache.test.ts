import { describe, expect, test } from 'vitest'
import type { LiveFeed } from './live.ts'
import { createResponseCache, sharedOwner } from './response-cache.ts'

/** A cache whose clock and hints the test controls. */
function openCache(maxEntries?: number) {
  let at = 0
  let sendHint: Parameters<LiveFeed['onHint']>[0] = () => {}
  const cache = createResponseCache(
    { onHint: (listener) => void (sendHint = listener) },
    () => at,
    ['website'],
    maxEntries,
  )
  let computed = 0
  return {
    cache,
    hint: (owner: string, topic = 'website') => sendHint({ owner, topic }),
    pass: (ms: number) => (at += ms),
    /** Returns the number of the computation. */
    ask: async (key = 'page', owner: string | null = 'ada'): Promise<number> =>
      await cache.get(
        key,
        1000,
        async () => await Promise.resolve({ owner: owner ?? undefined, value: (computed += 1) }),
      ),
  }
}

describe('a response', () => {
  test('is computed once for concurrent callers, and again when it has expired', async () => {
    const { ask, pass, cache } = openCache()
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1])
    pass(999)
    expect([await ask(), cache.peek('page')]).toEqual([1, 1])
    pass(1)
    expect(cache.peek('page')).toBeUndefined()
    expect(await ask()).toBe(2)
  })

  test('is dropped by a change of its owner, and by no other owner or topic', async () => {
    const { ask, hint } = openCache()
    expect([await ask('one', 'ada'), await ask('two', 'ben'), await ask('three', sharedOwner)]).toEqual([1, 2, 3])
    hint('ada', 'posts')
    expect(await ask('one')).toBe(1)
    hint('ada')
    expect([await ask('one'), await ask('two', 'ben'), await ask('three', sharedOwner)]).toEqual([4, 2, 3])
  })

  test('is dropped with all others when hints were lost', async () => {
    const { ask, hint } = openCache()
    expect([await ask('one'), await ask('two', sharedOwner)]).toEqual([1, 2])
    hint('*', '*')
    expect([await ask('one'), await ask('two', sharedOwner)]).toEqual([3, 4])
  })

  test('that was being computed at a change is returned and not cached', async () => {
    const { cache, hint, ask } = openCache()
    const old = Promise.withResolvers<{ owner: string; value: string }>()
    const asked = cache.get('page', 1000, async () => await old.promise)
    hint('ben')
    const fresh = ask()
    old.resolve({ owner: 'ada', value: 'old' })
    expect([await asked, await fresh, await ask()]).toEqual(['old', 1, 1])
  })

  test('without an owner, and a failure, are not cached', async () => {
    const { cache, ask } = openCache()
    expect([await ask('unknown', null), cache.peek('unknown'), await ask('unknown', null)]).toEqual([1, undefined, 2])
    const failing = cache.get('page', 1000, async () => await Promise.reject(new Error('away')))
    await expect(failing).rejects.toThrow('away')
    expect(await ask()).toBe(3)
  })

  test('of a newer computation stays when an older one fails', async () => {
    const { cache, hint, ask } = openCache()
    const old = Promise.withResolvers<{ owner: string; value: number }>()
    const failing = cache.get('page', 1000, async () => await old.promise)
    hint('ada')
    expect(await ask()).toBe(1)
    old.reject(new Error('away'))
    await expect(failing).rejects.toThrow('away')
    expect(await ask()).toBe(1)
  })

  test('that was computed again counts as the newest', async () => {
    const { cache, ask, pass } = openCache(2)
    await ask('first')
    await ask('second')
    pass(1000)
    await ask('first')
    await ask('third')
    expect([cache.peek('first'), cache.peek('third')]).toEqual([3, 4])
  })

  test('is evicted when there are two thousand newer ones', async () => {
    const { cache, ask } = openCache()
    for (let n = 0; n <= 2000; n++) await ask(`page ${n}`)
    expect([cache.peek('page 0'), cache.peek('page 1')]).toEqual([undefined, 2])
  })

  test('is evicted when the cache has its maximum of entries', async () => {
    const { cache, ask } = openCache(2)
    for (let n = 0; n <= 2; n++) await ask(`page ${n}`)
    expect([cache.peek('page 0'), cache.peek('page 1'), cache.peek('page 2')]).toEqual([undefined, 2, 3])
  })
})
