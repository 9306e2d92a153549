import type { System } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import type { StoredFile } from '../../../gateways/storage.ts'
import { sweepOrphanedFilesQueue } from '../jobs.ts'
import { thumbnailsOfPosts } from '../queries/items.ts'
import {
  countOrphans,
  deleteOrphanRecords,
  deleteUnseenRecords,
  listFileOwners,
  listUsedThumbnails,
  recordOrphans,
} from '../queries/orphaned-files.ts'
import { ownerOfFile, type FileOwner } from '../rules/file-owner.ts'
import { isThumbnail, itemIdIn } from './keys.ts'

const dayMs = 86_400_000
const pageSize = 500
/** The job queues a next one for the rest, so that none exceeds the queue's timeout. */
const maxPagesPerJob = 40
/** Orphans beyond the number of items. More mean another installation's storage, or an incomplete database. */
const maxExcessOrphans = 1000

type OwnedFile = StoredFile & { owner: FileOwner }
const keysOf = (files: readonly StoredFile[]) => files.map(({ key }) => key)

/**
 * Deletes files that no row owns: left by a job that gave up, or by a process that died between storage and database.
 * Such a file must be a day old, and have been recorded as an orphan a day ago. Continues after `after`, page by page.
 * Does nothing while publishing is stopped, because a database older than its storage lacks rows.
 */
export async function sweepOrphanedFiles(
  system: System,
  { after }: { after?: string | undefined },
  stopping: AbortSignal,
): Promise<void> {
  if (await system.progress.isStopped())
    return system.log.warn('orphaned files are not looked for: publishing is stopped')
  const scope = everyoneScope()
  const counted = { checked: 0, orphans: 0, removed: 0 }
  let cursor = after
  for (let pages = 0; pages < maxPagesPerJob && !stopping.aborted; pages += 1) {
    const { files, next } = await system.gateways.storage.page(cursor, pageSize)
    const { orphans, due } = await findOrphans(system, files)
    counted.checked += files.length
    counted.orphans += orphans
    counted.removed += await remove(system, due)
    cursor = next
    if (next === undefined) break
  }
  if (counted.orphans > 0) system.log.info(counted, 'orphaned files were found; those known for a day were removed')
  if (cursor !== undefined) return await system.jobs.send(system.db, sweepOrphanedFilesQueue, { after: cursor })
  await deleteUnseenRecords(system.db, scope, new Date(system.now().getTime() - 3 * dayMs))
}

/** How many of these files are orphaned, and which of them may be deleted. */
async function findOrphans(system: System, files: readonly StoredFile[]) {
  const scope = everyoneScope()
  const now = system.now()
  const aDayAgo = new Date(now.getTime() - dayMs)
  const old = files.flatMap((file): OwnedFile[] => {
    const owner = ownerOfFile(file.key)
    return owner && file.modifiedAt <= aDayAgo ? [{ ...file, owner }] : []
  })
  if (old.length === 0) return { orphans: 0, due: [] }
  const owners = old.map(({ owner }) => owner)
  const existing = await listFileOwners(system.db, scope, owners)
  const hasOwner = ({ owner }: OwnedFile) => owner.kind !== 'nobody' && existing[owner.kind].has(owner.id)
  const used = await listUsedThumbnails(system.db, scope, [
    ...new Set(old.flatMap((file) => (hasOwner(file) && isThumbnail(file.key) ? (itemIdIn(file.key) ?? []) : []))),
  ])
  // A thumbnail of an existing item is orphaned when another poster replaced it.
  const ownerless = old.filter((file) => !hasOwner(file) || (isThumbnail(file.key) && !used.has(file.key)))
  // A post still shows the thumbnail of a deleted item.
  const shown = await thumbnailsOfPosts(system.db, scope, keysOf(ownerless))
  const orphans = ownerless.filter(({ key }) => !shown.has(key))
  const recorded = await recordOrphans(system.db, scope, keysOf(orphans), now, aDayAgo)
  return { orphans: orphans.length, due: orphans.filter(({ key }) => recorded.has(key)) }
}

/** Deletes files and returns how many. */
async function remove(system: System, due: readonly OwnedFile[]): Promise<number> {
  if (due.length === 0) return 0
  const counts = await countOrphans(system.db, everyoneScope())
  if (counts.orphans > maxExcessOrphans + counts.items) {
    system.log.error(counts, 'too many orphaned files, so none is removed: does this database belong to this storage?')
    return 0
  }
  const { storage } = system.gateways
  for (const { key, owner } of due) {
    // The bucket has further objects of an upload.
    if (owner.kind === 'upload') await storage.partialUploads.remove(owner.id)
    await storage.remove(key)
  }
  await deleteOrphanRecords(system.db, everyoneScope(), keysOf(due))
  return due.length
}
