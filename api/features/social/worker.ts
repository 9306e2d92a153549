import type { System } from '../../core/context.ts'
import { handles, type JobHandler } from '../../core/jobs.ts'
import {
  upkeepQueue,
  disconnectQueue,
  deletePicturesQueue,
  profileQueue,
  recheckQueue,
  refreshQueue,
  resealQueue,
} from './jobs.ts'
import { finishDisconnecting, cleanUpSocial } from './service/accounts.ts'
import { refreshIdleTokens, keepAlive, recheckSharers, warnOfExpiry } from './service/token-upkeep.ts'
import { deletePictures, updateProfile } from './service/page-pictures.ts'
import { resealTokens } from './service/reseal.ts'

export const socialHandlers: readonly JobHandler<System>[] = [
  handles(disconnectQueue, { concurrency: 2 }, finishDisconnecting),
  handles(refreshQueue, { concurrency: 2 }, keepAlive),
  handles(
    profileQueue,
    { concurrency: 2 },
    async (system: System, job, _signal, stopping) => await updateProfile(system, job, stopping),
  ),
  handles(deletePicturesQueue, { concurrency: 1 }, deletePictures),
  handles(recheckQueue, { concurrency: 1 }, recheckSharers),
  handles(resealQueue, { concurrency: 1, cron: '11 * * * *' }, resealTokens),
  handles(upkeepQueue, { concurrency: 1, cron: '41 * * * *' }, async (system: System) => {
    await cleanUpSocial(system)
    await refreshIdleTokens(system)
    await warnOfExpiry(system)
  }),
]
