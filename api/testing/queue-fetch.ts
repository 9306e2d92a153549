import { pgOptions, workTimeouts } from '@flashsheet/db/connection'
import { PgBoss } from 'pg-boss'
import type { Queue } from '../core/jobs.ts'

/**
 * The payloads of a queue's first jobs, in the order in which workers get them. Fetched one by one, since the order of
 * two concurrent fetches is undefined.
 */
export async function fetchOneByOne<P extends object>(url: string, queue: Queue<P>, count: number): Promise<P[]> {
  const boss = new PgBoss({ ...pgOptions(url, 'fetch', workTimeouts), max: 1, supervise: false, schedule: false })
  await boss.start()
  const payloads: P[] = []
  for (let n = 0; n < count; n += 1)
    for (const { data } of await boss.fetch(queue.name, { batchSize: 1 })) payloads.push(queue.payload.parse(data))
  await boss.stop({ graceful: false, close: true })
  return payloads
}
