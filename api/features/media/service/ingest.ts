import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import type { SubscriberCtx, System } from '../../../core/context.ts'
import { AppError, full, invalid, notFound, tooMany } from '../../../core/errors.ts'
import { everyoneScope, ownerScope, type OwnerId } from '../../../core/scope.ts'
import { countItems, insertItems, lockLibrary, type MediaRow } from '../queries/items.ts'
import { enqueueRemoveFiles } from '../jobs.ts'
import {
  deleteUploads,
  findAnyUpload,
  findUpload,
  finishUploads,
  insertUploads,
  listOpenUploads,
  lockUpload,
  refuseUpload,
} from '../queries/uploads.ts'
import { roomForUpload } from '../rules/refusals.ts'
import { itemFolder } from './keys.ts'
import { prepareItem } from './prepare-item.ts'

const waitForTurnMs = 60_000

/** The lock of one upload that tus, ingest and the sweep share. */
export const uploadLock = (id: string) => `upload:${id}`

/** Throws full when `adding` more items do not fit. */
export async function refuseWhenFull(db: Tx, owner: OwnerId, adding = 1): Promise<void> {
  if ((await countItems(db, owner)) + adding > mediaLimits.libraryItems) throw full(mediaMessages.libraryFull)
}

type BegunUpload = Parameters<typeof insertUploads>[1][number]
const unfinishedSeconds = 30

/**
 * Inserts an upload, which occupies a place in the library from now on. Throws full when there is none, and tooMany
 * when the limit of unfinished uploads is reached; uploads that are idle for long are dropped for it.
 */
export async function beginUpload(system: System, owner: OwnerId, begun: BegunUpload): Promise<void> {
  const givingWay = await retryOnDeadlock(system.db, async (tx) => {
    await lockLibrary(tx, owner)
    const place = roomForUpload(await countItems(tx, owner), await listOpenUploads(tx, owner), system.now())
    if (place.refusal === 'library') throw full(mediaMessages.libraryFull)
    if (place.refusal === 'unfinished') throw tooMany(unfinishedSeconds, mediaMessages.tooManyUnfinished)
    if (place.givingWay.length > 0) await deleteUploads(tx, owner, place.givingWay)
    await insertUploads(tx, [begun])
    // A job of this transaction deletes their bytes: nobody will resume them.
    if (place.givingWay.length > 0) await enqueueRemoveFiles(system, tx, place.givingWay)
    return place.givingWay
  })
  if (givingWay.length > 0) system.log.info({ uploads: givingWay }, 'idle uploads gave way to a new one')
}

/** Rows that a later slice inserts with new items. */
export type AlsoWrite = (tx: Tx, added: readonly MediaRow[]) => Promise<void>

/**
 * Inserts prepared items within the limit and ends their uploads, in one transaction. Throws full, inserting nothing.
 */
export async function addToLibrary(
  system: System,
  owner: OwnerId,
  prepared: readonly MediaRow[],
  also?: AlsoWrite,
): Promise<MediaRow[]> {
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
 * Turns a complete tus upload into a media item of the same id and returns that id; idempotent, also when it runs
 * concurrently. Throws invalid with a message for the artist when the file is refused, full when the library has no
 * room (the bytes then stay for a retry), notFound when there is no such upload.
 */
export async function ingestUpload(system: System, id: string): Promise<string> {
  const release = await takeTurn(system, id)
  try {
    const upload = await findAnyUpload(system.db, everyoneScope(), id)
    if (!upload) throw notFound()
    const owner = ownerScope(upload.userId)
    if (upload.finishedAt) {
      if (upload.mediaId) return upload.mediaId
      throw upload.refusal === null ? notFound() : invalid(upload.refusal)
    }
    try {
      await refuseWhenFull(system.db, owner)
      const item = await prepareItem(system, owner, { id, fileName: upload.fileName, claimedType: upload.mimeType })
      await addToLibrary(system, owner, [item])
    } catch (error) {
      if (error instanceof AppError && error.kind === 'full')
        await refuseUpload(system.db, owner, id, error.message, null)
      if (error instanceof AppError && error.kind === 'invalid') {
        await refuseUpload(system.db, owner, id, error.message, system.now())
        await deleteFiles(system, id)
      }
      throw error
    }
    await system.gateways.storage.partialUploads.remove(id)
    return id
  } finally {
    await release()
  }
}

/** Deletes an upload that is no item yet, with its bytes. Throws notFound when it is one, or unknown. */
export async function cancelUpload(ctx: SubscriberCtx, id: string): Promise<void> {
  const release = await takeTurn(ctx, id)
  try {
    const upload = await findUpload(ctx.db, ctx.owner, id)
    if (!upload || upload.finishedAt) throw notFound()
    await deleteUploads(ctx.db, ctx.owner, [id])
    await deleteFiles(ctx, id)
  } finally {
    await release()
  }
}

async function takeTurn(system: System, id: string): Promise<() => Promise<void>> {
  return await system.locks.acquire(uploadLock(id), {
    signal: new AbortController().signal,
    waitMs: waitForTurnMs,
    onWanted: () => {},
  })
}

/** Whether every byte of an upload has arrived, wherever an interrupted run has moved them. */
export async function isComplete(system: System, upload: { id: string; bytes: number }): Promise<boolean> {
  const { storage } = system.gateways
  const there =
    (await storage.partialUploads.bytes(upload.id)) ?? (await storage.size(`${itemFolder(upload.id)}/original`))
  return there === upload.bytes
}

/** Deletes the bytes of an upload that is no item. */
export async function deleteFiles(system: System, id: string): Promise<void> {
  const { storage } = system.gateways
  await storage.partialUploads.remove(id)
  for (const key of await storage.list(itemFolder(id))) await storage.remove(key)
}

/**
 * Deletes uploads that became no items `because` of this error, with their files: now, or by a job when the storage is
 * away, so that nobody waits for it twice. Never throws: the caller reports its own error.
 */
export async function discardUploads(
  system: System,
  owner: OwnerId,
  ids: readonly string[],
  because: unknown,
): Promise<void> {
  if (ids.length === 0) return
  try {
    if (because instanceof AppError && because.kind === 'unavailable') throw because
    for (const id of ids) await deleteFiles(system, id)
    await deleteUploads(system.db, owner, ids)
  } catch {
    await system.db
      .transaction(async (tx) => {
        await deleteUploads(tx, owner, ids)
        await enqueueRemoveFiles(system, tx, [...ids])
      })
      // The sweep deletes the rest.
      .catch((error: unknown) =>
        system.log.warn({ err: error, uploads: ids }, 'uploads that came to nothing are still there'),
      )
  }
}
