import { pgOptions, workLimits } from '@flashsheet/db/connection'
import { PgBoss } from 'pg-boss'
import type { Queue } from '../core/jobs.ts'

/** A queue on a product's database that measures polling for due jobs among many that are not due. */
export async function openQueueProbe(url: string): Promise<{
  defer: (count: number, seconds: number) => Promise<void>
  fetch: () => Promise<number>
  close: () => Promise<void>
}> {
  const boss = new PgBoss({ ...pgOptions(url, 'bench', workLimits), max: 2, supervise: false, schedule: false })
  await boss.start()
  const queue = 'bench.planned'
  await boss.createQueue(queue, { policy: 'short' })
  return {
    async defer(count, seconds) {
      for (let from = 0; from < count; from += 5000) {
        const jobs = Array.from({ length: Math.min(5000, count - from) }, (_, n) => ({
          singletonKey: `${seconds} ${from + n}`,
          startAfter: seconds + (from + n) / 10,
        }))
        await boss.insert(queue, jobs)
      }
    },
    async fetch() {
      return (await boss.fetch(queue, { batchSize: 10 })).length
    },
    async close() {
      await boss.deleteQueue(queue)
      await boss.stop({ graceful: false, close: true })
    },
  }
}

/**
 * The payloads of a queue's first jobs, in the order in which workers get them. Fetched one by one, since the order of
 * two concurrent fetches is undefined.
 */
export async function fetchOneByOne<P extends object>(url: string, queue: Queue<P>, count: number): Promise<P[]> {
  const boss = new PgBoss({ ...pgOptions(url, 'fetch', workLimits), max: 1, supervise: false, schedule: false })
  await boss.start()
  const payloads: P[] = []
  for (let n = 0; n < count; n += 1)
    for (const { data } of await boss.fetch(queue.name, { batchSize: 1 })) payloads.push(queue.payload.parse(data))
  await boss.stop({ graceful: false, close: true })
  return payloads
}
