import { expect, test } from 'vitest'
import { createBoundedQueue } from './bounded-queue.ts'

const aMoment = async () => await new Promise((resolve) => setImmediate(resolve))

/** Work that notes its beginning and ends when told. */
function workers(limits: Partial<Parameters<typeof createBoundedQueue>[0]> = {}) {
  const queue = createBoundedQueue({ atATime: 1, waiting: 4, waitingPerCaller: 3, retryAfterSeconds: 2, ...limits })
  const begun: string[] = []
  const ends: (() => void)[] = []
  return {
    begun,
    ask: async (caller: string, name: string) =>
      await queue.run(caller, async () => {
        begun.push(name)
        await new Promise<void>((resolve) => ends.push(resolve))
        return name
      }),
    endOne: async () => {
      await aMoment()
      ends.shift()?.()
      await aMoment()
    },
  }
}

test('refuses a caller who has too many waiting, and everybody when too many wait', async () => {
  const { ask, endOne } = workers()
  const accepted = ['1', '2', '3', '4'].map(async (name) => await ask('a', name))
  await expect(ask('a', '5')).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 2 })
  accepted.push(ask('b', '6'))
  await expect(ask('c', '7')).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 2 })
  for (let n = 0; n < 5; n++) await endOne()
  expect(await Promise.all(accepted)).toEqual(['1', '2', '3', '4', '6'])
})

test('gives turns round among the callers', async () => {
  const { ask, begun, endOne } = workers()
  const all = [ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3'), ask('b', 'b1'), ask('c', 'c1')]
  for (let n = 0; n < 5; n++) await endOne()
  await Promise.all(all)
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3'])
})

test('runs as many at once as it may, and goes on after one that failed', async () => {
  const { ask, begun, endOne } = workers({ atATime: 2 })
  const all = [ask('a', '1'), ask('a', '2'), ask('a', '3')]
  await aMoment()
  expect(begun).toEqual(['1', '2'])
  await endOne()
  expect(begun).toEqual(['1', '2', '3'])
  await endOne()
  await endOne()
  await Promise.all(all)
  const queue = createBoundedQueue({ atATime: 1, waiting: 1, waitingPerCaller: 1, retryAfterSeconds: 1 })
  await expect(queue.run('a', async () => await Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  await expect(queue.run('a', async () => await Promise.resolve('next'))).resolves.toBe('next')
})
