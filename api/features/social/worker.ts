import type { System } from '../../core/context.ts'
import { queueHandler, scheduledTask, type JobHandler } from '../../core/jobs.ts'
import { disconnectQueue, deletePicturesQueue, profileQueue, recheckQueue, refreshQueue } from './jobs.ts'
import { finishDisconnecting, cleanUpSocial } from './service/accounts.ts'
import { refreshIdleTokens, keepAlive, recheckAccountsSharingGrant, warnOfExpiry } from './service/token-maintenance.ts'
import { deletePictures, updateProfile } from './service/page-pictures.ts'
import { resealTokens } from './service/reseal.ts'

export const socialJobs: readonly JobHandler<System>[] = [
  queueHandler(disconnectQueue, { concurrency: 2 }, finishDisconnecting),
  queueHandler(refreshQueue, { concurrency: 2 }, keepAlive),
  queueHandler(profileQueue, { concurrency: 2 }, updateProfile),
  queueHandler(deletePicturesQueue, { concurrency: 1 }, deletePictures),
  queueHandler(recheckQueue, { concurrency: 1 }, recheckAccountsSharingGrant),
  scheduledTask('social.reseal', '11 * * * *', resealTokens),
  scheduledTask('social.care', '41 * * * *', async (system: System) => {
    await cleanUpSocial(system)
    await refreshIdleTokens(system)
    await warnOfExpiry(system)
  }),
]
