import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import type { SubscriberCtx, System } from '../../../core/context.ts'
import { AppError, full, invalid, notFound, tooMany } from '../../../core/errors.ts'
import { everyoneScope, ownerScope, type OwnerId } from '../../../core/scope.ts'
import { countItems, insertItems, lockLibrary, type MediaRow } from '../queries/items.ts'
import { removeFilesQueue } from '../jobs.ts'
import {
  deleteUnfinishedUploads,
  findAnyUpload,
  finishUploads,
  insertUpload,
  listOpenUploads,
  lockUpload,
  refuseUpload,
  type NewUpload,
} from '../queries/uploads.ts'
import { roomForUpload } from '../rules/refusals.ts'
import { originalKey } from './keys.ts'
import { prepareItem } from './prepare-item.ts'
import { removeFiles } from './remove.ts'

const lockTimeoutMs = 60_000

/** The lock that tus requests, ingest and the sweep take on one upload. */
export const uploadLock = (id: string) => `upload:${id}`

/** Throws full when the library has no room for `adding` more items. */
export async function refuseWhenFull(db: Tx, owner: OwnerId, adding = 1): Promise<void> {
  if ((await countItems(db, owner)) + adding > mediaLimits.libraryItems) throw full(mediaMessages.libraryFull)
}

const retrySeconds = 30

/**
 * Inserts an upload, which occupies a place in the library from now on; long idle uploads are dropped for it. Throws
 * full when the library has no room, and tooMany when the artist has too many unfinished uploads.
 */
export async function beginUpload(system: System, owner: OwnerId, upload: NewUpload): Promise<void> {
  const dropped = await retryOnDeadlock(system.db, async (tx) => {
    await lockLibrary(tx, owner)
    const { refusal, dropped } = roomForUpload(
      await countItems(tx, owner),
      await listOpenUploads(tx, owner),
      system.now(),
    )
    if (refusal === 'library') throw full(mediaMessages.libraryFull)
    if (refusal === 'unfinished') throw tooMany(retrySeconds, mediaMessages.tooManyUnfinished)
    if (dropped.length > 0) await deleteUnfinishedUploads(tx, owner, dropped)
    await insertUpload(tx, { ...upload, userId: owner, createdAt: system.now() })
    if (dropped.length > 0) await system.jobs.send(tx, removeFilesQueue, { mediaIds: dropped })
    return dropped
  })
  if (dropped.length > 0) system.log.info({ uploads: dropped }, 'idle uploads were removed to make room for a new one')
}

/** Writes rows of a later slice in the transaction that inserts new items. */
export type AlsoWrite = (tx: Tx, added: readonly MediaRow[]) => Promise<void>

/** Inserts prepared items and finishes their uploads in one transaction. Throws full when not all of them fit. */
export async function addToLibrary(system: System, owner: OwnerId, prepared: readonly MediaRow[], also?: AlsoWrite) {
  return await retryOnDeadlock(system.db, async (tx) => {
    await lockLibrary(tx, owner)
    await refuseWhenFull(tx, owner, prepared.length)
    const rows: MediaRow[] = []
    for (const item of prepared) {
      const upload = await lockUpload(tx, owner, item.id)
      if (!upload) throw notFound()
      rows.push(upload.posterKey && item.kind === 'video' ? { ...item, thumbnailKey: upload.posterKey } : item)
    }
    await insertItems(tx, rows)
    const ids = rows.map((row) => row.id)
    await finishUploads(tx, owner, ids, system.now())
    await also?.(tx, rows)
    for (const id of ids) await notifyLive(tx, { owner, topic: 'media', id })
    return rows
  })
}

/**
 * Turns a complete tus upload into a media item of the same id and returns that id. Safe to repeat and to run
 * concurrently. Throws invalid with a message for the artist when the file is refused, full when the library has no
 * room (the bytes are retained for a retry), and notFound.
 */
export async function ingestUpload(system: System, id: string): Promise<string> {
  await using _lock = await lock(system, id)
  const upload = await findAnyUpload(system.db, everyoneScope(), id)
  if (!upload) throw notFound()
  const owner = ownerScope(upload.userId)
  if (upload.finishedAt) {
    if (upload.mediaId) return upload.mediaId
    throw upload.refusal === null ? notFound() : invalid(upload.refusal)
  }
  try {
    await refuseWhenFull(system.db, owner)
    const item = await prepareItem(system, owner, { id, fileName: upload.fileName, declaredType: upload.mimeType })
    await addToLibrary(system, owner, [item])
  } catch (error) {
    if (error instanceof AppError && error.kind === 'full')
      await refuseUpload(system.db, owner, id, error.message, null)
    if (error instanceof AppError && error.kind === 'invalid') {
      await refuseUpload(system.db, owner, id, error.message, system.now())
      await removeFiles(system, [id])
    }
    throw error
  }
  await system.gateways.storage.partialUploads.remove(id)
  return id
}

/** Deletes an unfinished upload with its bytes. Throws notFound when it is finished or unknown. */
export async function cancelUpload(ctx: SubscriberCtx, id: string): Promise<void> {
  await using _lock = await lock(ctx, id)
  if ((await deleteUnfinishedUploads(ctx.db, ctx.owner, [id])).length === 0) throw notFound()
  await removeFiles(ctx, [id])
}

async function lock(system: System, id: string): Promise<AsyncDisposable> {
  const { signal } = new AbortController()
  const release = await system.locks.acquire(uploadLock(id), { signal, waitMs: lockTimeoutMs, onWanted: () => {} })
  return { [Symbol.asyncDispose]: release }
}

/** Whether every byte of an upload has arrived; an interrupted ingest may have moved them already. */
export async function isComplete(system: System, upload: { id: string; bytes: number }): Promise<boolean> {
  const { storage } = system.gateways
  const bytes = (await storage.partialUploads.bytes(upload.id)) ?? (await storage.size(originalKey(upload.id)))
  return bytes === upload.bytes
}

/**
 * Deletes the uploads and files of a request that failed, `because` of this error. Those that are in the library are
 * kept: the request may have failed because the answer to its commit was lost. While storage is unavailable a job
 * deletes the files, so that the caller does not wait for storage twice. Never throws: the caller reports its own
 * error.
 */
export async function discardUploads(system: System, owner: OwnerId, ids: readonly string[], because?: unknown) {
  if (ids.length === 0) return
  try {
    if (because instanceof AppError && because.kind === 'unavailable') throw because
    await deleteUnfinishedUploads(system.db, owner, ids)
    await removeFiles(system, ids)
  } catch {
    await system.db
      .transaction(async (tx) => {
        await deleteUnfinishedUploads(tx, owner, ids)
        await system.jobs.send(tx, removeFilesQueue, { mediaIds: [...ids] })
      })
      // The sweep deletes the rest.
      .catch((error: unknown) =>
        system.log.warn({ err: error, uploads: ids }, 'failed uploads could not be removed yet'),
      )
  }
}
