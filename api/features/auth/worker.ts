import type { System } from '../../core/context.ts'
import { handles, type JobHandler } from '../../core/jobs.ts'
import { linkQueue, tidyQueue } from './jobs.ts'
import { answerLinkRequest } from './service/links.ts'
import { tidyAuth } from './service/tidy.ts'

export const authJobs: readonly JobHandler<System>[] = [
  handles(linkQueue, { concurrency: 4 }, async (system: System, { requestId }) => await answerLinkRequest(system, requestId)),
  handles(tidyQueue, { concurrency: 1, cron: '23 * * * *' }, async (system: System) => await tidyAuth(system)),
]
