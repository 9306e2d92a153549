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
import { placeForUpload } from '../rules/refusals.ts'
import { itemFolder } from './keys.ts'
import { prepareItem } from './prepare-item.ts'

const waitForTurnMs = 60_000

/** The lock that the tus door, ingest and the sweep share for one upload. */
export const uploadLock = (id: string) => `upload:${id}`

/** Throws full when `adding` more items do not fit. */
export async function refuseWhenFull(db: Tx, owner: OwnerId, adding = 1): Promise<void> {
  if ((await countItems(db, owner)) + adding > mediaLimits.libraryItems) throw full(mediaMessages.libraryFull)
}

type BegunUpload = Parameters<typeof insertUploads>[1][number]
const unfinishedSeconds = 30

/**
 * Writes an upload down as begun. It takes a place in the library from now on. Throws full when there is none, and tooMany when as many
 * are unfinished as may be; uploads that have been idle for long give way to it.
 */
export async function beginUpload(system: System, owner: OwnerId, begun: BegunUpload): Promise<void> {
  const givingWay = await system.db.transaction(async (tx) => {
    await lockLibrary(tx, owner)
    const place = placeForUpload(await countItems(tx, owner), await listOpenUploads(tx, owner), system.now())
    if (place.refusal === 'library') throw full(mediaMessages.libraryFull)
    if (place.refusal === 'unfinished') throw tooMany(unfinishedSeconds, mediaMessages.tooManyUnfinished)
    if (place.givingWay.length > 0) await deleteUploads(tx, owner, place.givingWay)
    await insertUploads(tx, [begun])
    // Their bytes go with a job of this transaction: nobody asks for them any more.
    if (place.givingWay.length > 0) await enqueueRemoveFiles(system, tx, place.givingWay)
    return place.givingWay
  })
  if (givingWay.length > 0) system.log.info({ uploads: givingWay }, 'idle uploads gave way to a new one')
}

/** What a later slice writes together with new items. */
export type AlsoWrite = (tx: Tx, added: readonly MediaRow[]) => Promise<void>

/** Adds prepared items under the cap, in one transaction with the end of their uploads. Throws full, adding nothing. */
export async function addToLibrary(
  system: System,
  owner: OwnerId,
  prepared: readonly MediaRow[],
  also?: AlsoWrite,
): Promise<MediaRow[]> {
  return await system.db.transaction(async (tx) => {
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
 * Turns a complete upload of the tus door into a media item of the same id and answers that id; asked again, or by
 * several at once, it answers the same. Throws invalid with a message for the artist when the bytes are refused,
 * full when the library has no room (the bytes then stay for another try), notFound when there is no such upload.
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
        await dropFiles(system, id)
      }
      throw error
    }
    await system.gateways.storage.incoming.remove(id)
    return id
  } finally {
    await release()
  }
}

/** Drops an upload that has not become an item, with whatever has arrived of it. Throws notFound when it has, or is unknown. */
export async function cancelUpload(ctx: SubscriberCtx, id: string): Promise<void> {
  const release = await takeTurn(ctx, id)
  try {
    const upload = await findUpload(ctx.db, ctx.owner, id)
    if (!upload || upload.finishedAt) throw notFound()
    await deleteUploads(ctx.db, ctx.owner, [id])
    await dropFiles(ctx, id)
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

/** Whether every byte of an upload has arrived, wherever an interrupted run has put them. */
export async function isComplete(system: System, upload: { id: string; bytes: number }): Promise<boolean> {
  const { storage } = system.gateways
  const there = (await storage.incoming.bytes(upload.id)) ?? (await storage.size(`${itemFolder(upload.id)}/original`))
  return there === upload.bytes
}

/** Removes whatever is there of an upload that did not become an item. */
export async function dropFiles(system: System, id: string): Promise<void> {
  const { storage } = system.gateways
  await storage.incoming.remove(id)
  for (const key of await storage.list(itemFolder(id))) await storage.remove(key)
}

/**
 * Takes uploads that did not become items `because` of this error off the list, with their files: now, or by a job where the storage is
 * away, so that nobody waits for it a second time. Never throws: whoever calls this has a reason of its own to tell.
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
    for (const id of ids) await dropFiles(system, id)
    await deleteUploads(system.db, owner, ids)
  } catch {
    await system.db
      .transaction(async (tx) => {
        await deleteUploads(tx, owner, ids)
        await enqueueRemoveFiles(system, tx, [...ids])
      })
      // What is left then goes with the sweep.
      .catch((error: unknown) =>
        system.log.warn({ err: error, uploads: ids }, 'uploads that came to nothing are still there'),
      )
  }
}
