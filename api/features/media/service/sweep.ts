import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { System } from '../../../core/context.ts'
import { AppError } from '../../../core/errors.ts'
import { everyoneScope, ownerScope } from '../../../core/scope.ts'
import { deleteOldFetches, failFetches } from '../queries/fetches.ts'
import { deleteOldFormRequests } from '../queries/form-requests.ts'
import { deleteOldFinished, listAbandoned, listUnfinished, type UploadRow } from '../queries/uploads.ts'
import { discardUploads, ingestUpload, isComplete } from './ingest.ts'

const minute = 60_000
const hour = 60 * minute
/** How long a repeated request still gets the result of a finished upload, form or fetch. */
const retentionHours = 7 * 24
/** A bucket takes several requests for one upload: one after the other, 10,000 uploads would take longer than the time between two sweeps. */
const checksAtOnce = 16

/**
 * Fails fetches that lost their job, ingests complete uploads whose last request died before it did, and deletes
 * unfinished uploads after 24 h and records of finished ones after a week. A complete upload that cannot be ingested is
 * retried for a week. Safe to run at any time, also concurrently with uploads.
 */
export async function sweepUploads(system: System): Promise<void> {
  const now = system.now().getTime()
  // The job of an older fetch was lost, or gave up without recording it.
  await failFetches(system.db, everyoneScope(), new Date(now - hour), mediaMessages.addressFailed)
  await deleteOldFetches(system.db, everyoneScope(), new Date(now - retentionHours * hour))
  await deleteOldFormRequests(system.db, everyoneScope(), new Date(now - retentionHours * hour))
  const failed = new Set<string>()
  let last: UploadRow | undefined
  do {
    const page = await listUnfinished(system.db, everyoneScope(), new Date(now - minute), last)
    for (let at = 0; at < page.length; at += checksAtOnce) {
      const checked = page.slice(at, at + checksAtOnce)
      const complete = await Promise.all(checked.map(async (upload) => await isComplete(system, upload)))
      for (const [index, upload] of checked.entries())
        if (complete[index] && !(await tryIngest(system, upload))) failed.add(upload.id)
    }
    last = page.at(-1)
  } while (last)
  const abandonedAt = new Date(now - mediaLimits.uploadHours * hour)
  await system.gateways.storage.scratch.deleteStale(new Date(Date.now() - mediaLimits.uploadHours * hour))
  for (const upload of await listAbandoned(system.db, everyoneScope(), abandonedAt)) {
    // Its artist has sent every byte, for example just before an outage of a day.
    if (failed.has(upload.id) && upload.createdAt.getTime() > now - retentionHours * hour) continue
    await discardUploads(system, ownerScope(upload.userId), [upload.id])
  }
  await deleteOldFinished(system.db, everyoneScope(), new Date(now - retentionHours * hour))
}

const refusals: readonly string[] = ['invalid', 'full', 'notFound']

/** False: it failed because of us, such as on a full disk, and the next sweep retries. A refusal is stored. */
async function tryIngest(system: System, upload: UploadRow): Promise<boolean> {
  try {
    await ingestUpload(system, upload.id)
    return true
  } catch (error) {
    if (error instanceof AppError && refusals.includes(error.kind)) return true
    system.log.error({ err: error, uploadId: upload.id }, 'a complete upload could not be added to its library')
    return false
  }
}
