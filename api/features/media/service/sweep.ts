import { mediaLimits } from '@flashsheet/contracts/media/limits'
import type { System } from '../../../core/context.ts'
import { AppError } from '../../../core/errors.ts'
import { everyoneScope, ownerScope } from '../../../core/scope.ts'
import { deleteOldFetches } from '../queries/fetches.ts'
import { deleteOldFormRequests } from '../queries/form-requests.ts'
import { deleteUploads, listStale, listUnfinished } from '../queries/uploads.ts'
import { endLostFetches } from './fetch-from-url.ts'
import { deleteFiles, ingestUpload, isComplete } from './ingest.ts'

const minute = 60_000
const hour = 60 * minute
/** How long a finished upload still answers with its Media-Id, and a form's request id with what the form made. */
const rememberedHours = 7 * 24

/**
 * Ends fetches from addresses that lost their job, ingests complete uploads whose last request died before it could, and deletes unfinished ones after 24 h. Idempotent
 * at any time, also beside running uploads.
 */
export async function sweepUploads(system: System): Promise<void> {
  const now = system.now().getTime()
  await endLostFetches(system)
  await deleteOldFetches(system.db, new Date(now - rememberedHours * hour))
  await deleteOldFormRequests(system.db, everyoneScope(), new Date(now - rememberedHours * hour))
  for (const upload of await listUnfinished(system.db, everyoneScope(), new Date(now - minute))) {
    if (!(await isComplete(system, upload))) continue
    try {
      await ingestUpload(system, upload.id)
    } catch (error) {
      // A refusal is stored; any other error is retried by the next sweep.
      if (!(error instanceof AppError))
        system.log.error({ err: error, uploadId: upload.id }, 'a complete upload could not be taken over')
    }
  }
  const before = {
    unfinished: new Date(now - mediaLimits.uploadHours * hour),
    finished: new Date(now - rememberedHours * hour),
  }
  await system.gateways.storage.scratch.deleteStale(new Date(Date.now() - mediaLimits.uploadHours * hour))
  for (const upload of await listStale(system.db, everyoneScope(), before)) {
    if (!upload.finishedAt) await deleteFiles(system, upload.id)
    await deleteUploads(system.db, ownerScope(upload.userId), [upload.id])
  }
}
