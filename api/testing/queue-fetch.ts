import { pgOptions, workLimits } from '@flashsheet/db/connection'
import { PgBoss } from 'pg-boss'

/** A queue of its own on a database of the product, to see what a look for due jobs costs beside others that wait for their time. */
export async function openFetching(url: string): Promise<{
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
