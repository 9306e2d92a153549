import type { System } from '../../core/context.ts'
import { handles, type JobHandler } from '../../core/jobs.ts'
import { careQueue, leaveQueue, recheckQueue, refreshQueue } from './jobs.ts'
import { finishLeaving, tidySocial } from './service/accounts.ts'
import { careForTokens, keepAlive, recheckSharers, warnOfEnds } from './service/care.ts'

export const socialHandlers: readonly JobHandler<System>[] = [
  handles(leaveQueue, { concurrency: 2 }, async (system: System, job) => await finishLeaving(system, job)),
  handles(refreshQueue, { concurrency: 2 }, async (system: System, job) => await keepAlive(system, job)),
  handles(recheckQueue, { concurrency: 1 }, async (system: System, job) => await recheckSharers(system, job)),
  handles(careQueue, { concurrency: 1, cron: '41 * * * *' }, async (system: System) => {
    await tidySocial(system)
    await careForTokens(system)
    await warnOfEnds(system)
  }),
]
