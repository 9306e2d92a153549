import { expect, test } from 'vitest'
import { createBoundedQueue } from './bounded-queue.ts'

const aMoment = async () => await new Promise((resolve) => setImmediate(resolve))

/** A queue with tasks that record their start and end on request. */
function openQueue(limits: Partial<Parameters<typeof createBoundedQueue>[0]> = {}) {
  const queue = createBoundedQueue({ atATime: 1, waiting: 4, waitingPerOwner: 3, retryAfterSeconds: 2, ...limits })
  const started: string[] = []
  const ends: (() => void)[] = []
  return {
    started,
    ask: async (caller: string, name: string) =>
      await queue.run(caller, async () => {
        started.push(name)
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

test('refuses a caller with too many waiting tasks, and any caller when too many tasks wait', async () => {
  const { ask, endOne } = openQueue()
  const accepted = ['1', '2', '3', '4'].map(async (name) => await ask('a', name))
  await expect(ask('a', '5')).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 2 })
  accepted.push(ask('b', '6'))
  await expect(ask('c', '7')).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 2 })
  for (let n = 0; n < 5; n++) await endOne()
  expect(await Promise.all(accepted)).toEqual(['1', '2', '3', '4', '6'])
})

test('lets the callers take turns', async () => {
  const { ask, started, endOne } = openQueue()
  const all = [ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3'), ask('b', 'b1'), ask('c', 'c1')]
  for (let n = 0; n < 5; n++) await endOne()
  await Promise.all(all)
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3'])
})

test('runs the maximum of tasks at once, and continues after one failed', async () => {
  const { ask, started, endOne } = openQueue({ atATime: 2 })
  const all = [ask('a', '1'), ask('a', '2'), ask('a', '3')]
  await aMoment()
  expect(started).toEqual(['1', '2'])
  await endOne()
  expect(started).toEqual(['1', '2', '3'])
  await endOne()
  await endOne()
  await Promise.all(all)
  const queue = createBoundedQueue({ atATime: 1, waiting: 1, waitingPerOwner: 1, retryAfterSeconds: 1 })
  await expect(queue.run('a', async () => await Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  await expect(queue.run('a', async () => await Promise.resolve('next'))).resolves.toBe('next')
})
