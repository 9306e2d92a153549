import type { System } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import type { StoredFile } from '../../../gateways/storage.ts'
import { enqueueSweepOrphanedFiles } from '../jobs.ts'
import { thumbnailsOfPosts } from '../queries/items.ts'
import {
  countOrphans,
  forgetOrphans,
  forgetUnseen,
  listFileOwners,
  listNamedThumbnails,
  noteOrphans,
} from '../queries/orphaned-files.ts'
import { ownerOfFile, type FileOwner } from '../rules/file-owner.ts'
import { isThumbnail, itemIdIn } from './keys.ts'

const dayMs = 86_400_000
const pageSize = 500
/** Pages per job, which queues the next one, so that no job exceeds the queue's timeout. */
const pagesOfAJob = 40
/**
 * More orphans than this, beyond the number of items, mean another installation's storage, or an incomplete database.
 */
const mostLitter = 1000

type Held = StoredFile & { holder: FileOwner }

/**
 * Deletes orphaned files, which no row owns: left by a job that gave up, or by a process that died between storage and
 * database. Such a file must be a day old, and have been orphaned a day ago as well. Continues after `after`, page by
 * page, without a database connection during storage calls. Does nothing while publishing is stopped: a database older
 * than its storage lacks rows.
 */
export async function sweepOrphanedFiles(
  system: System,
  { after }: { after?: string | undefined },
  stopping: AbortSignal,
): Promise<void> {
  if (await system.progress.isStopped())
    return system.log.warn('files that nothing names are not looked for: publishing is stopped')
  const scope = everyoneScope()
  const counted = { looked: 0, unnamed: 0, removed: 0 }
  let behind = after
  for (let pages = 0; pages < pagesOfAJob && !stopping.aborted; pages += 1) {
    const { files, next } = await system.gateways.storage.page(behind, pageSize)
    const { unnamed, due } = await lookAt(system, files)
    counted.looked += files.length
    counted.unnamed += unnamed
    counted.removed += await remove(system, due)
    behind = next
    if (next === undefined) break
  }
  if (counted.unnamed > 0) system.log.info(counted, 'files that nothing names: those known for a day were removed')
  if (behind !== undefined) return await enqueueSweepOrphanedFiles(system, behind)
  await forgetUnseen(system.db, scope, new Date(system.now().getTime() - 3 * dayMs))
}

/** How many of these files are orphaned, and which may be deleted. */
async function lookAt(system: System, files: readonly StoredFile[]): Promise<{ unnamed: number; due: Held[] }> {
  const scope = everyoneScope()
  const now = system.now()
  const aDayAgo = new Date(now.getTime() - dayMs)
  const old = files.flatMap((file): Held[] => {
    const holder = ownerOfFile(file.key)
    return holder && file.modifiedAt <= aDayAgo ? [{ ...file, holder }] : []
  })
  if (old.length === 0) return { unnamed: 0, due: [] }
  const idsOf = (kind: FileOwner['kind']) => [
    ...new Set(old.flatMap(({ holder }) => (holder.kind === kind && 'id' in holder ? holder.id : []))),
  ]
  const there = await listFileOwners(system.db, scope, {
    item: idsOf('item'),
    galleryEntry: idsOf('galleryEntry'),
    upload: idsOf('upload'),
    siteImage: idsOf('siteImage'),
    pagePicture: idsOf('pagePicture'),
  })
  const isHeld = ({ holder }: Held) => holder.kind !== 'nobody' && there[holder.kind].has(holder.id)
  const named = await listNamedThumbnails(system.db, scope, [
    ...new Set(old.flatMap((file) => (isHeld(file) && isThumbnail(file.key) ? (itemIdIn(file.key) ?? []) : []))),
  ])
  // Of an item that is there, a poster that another one replaced.
  const unheld = old.filter((file) => !isHeld(file) || (isThumbnail(file.key) && !named.has(file.key)))
  // A post keeps the thumbnail of a deleted item.
  const shown = new Set(
    await thumbnailsOfPosts(
      system.db,
      scope,
      unheld.map(({ key }) => key),
    ),
  )
  const unnamed = unheld.filter(({ key }) => !shown.has(key))
  const known = new Set(
    await noteOrphans(
      system.db,
      scope,
      unnamed.map(({ key }) => key),
      now,
      aDayAgo,
    ),
  )
  return { unnamed: unnamed.length, due: unnamed.filter(({ key }) => known.has(key)) }
}

/** Deletes files and returns how many. */
async function remove(system: System, due: readonly Held[]): Promise<number> {
  if (due.length === 0) return 0
  const counts = await countOrphans(system.db, everyoneScope())
  if (counts.unnamed > mostLitter + counts.items) {
    system.log.error(
      counts,
      'so many files that nothing names are not removed: is this the database that belongs to this storage?',
    )
    return 0
  }
  const { storage } = system.gateways
  for (const { key, holder } of due) {
    // With its bytes elsewhere in the bucket.
    if (holder.kind === 'upload') await storage.partialUploads.remove(holder.id)
    await storage.remove(key)
  }
  await forgetOrphans(
    system.db,
    everyoneScope(),
    due.map(({ key }) => key),
  )
  return due.length
}
