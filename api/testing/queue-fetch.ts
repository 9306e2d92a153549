import { pgOptions, workLimits } from '@flashsheet/db/connection'
import { PgBoss } from 'pg-boss'

/** A queue on a product's database, to measure polling for due jobs beside many that are not due. */
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
