import { mediaLimits, mediaMessages } from '@flashsheet/contracts/media'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import type { SubscriberCtx, System } from '../../../core/context.ts'
import { AppError, full, invalid, notFound } from '../../../core/errors.ts'
import { everyoneScope, ownerScope, type OwnerId } from '../../../core/scope.ts'
import { countItems, insertItems, lockLibrary, type MediaRow } from '../queries/items.ts'
import { deleteUploads, findAnyUpload, findUpload, finishUploads, lockUpload, refuseUpload } from '../queries/uploads.ts'
import { itemFolder } from './keys.ts'
import { prepareItem } from './prepare-item.ts'

const waitForTurnMs = 60_000

/** The lock that the tus door, ingest and the sweep share for one upload. */
export const uploadLock = (id: string) => `upload:${id}`

/** Throws full when `adding` more items do not fit (spec 9: 100). */
export async function refuseWhenFull(db: Tx, owner: OwnerId, adding = 1): Promise<void> {
  if ((await countItems(db, owner)) + adding > mediaLimits.libraryItems) throw full(mediaMessages.libraryFull)
}

/** What a later slice writes together with new items. */
export type AlsoWrite = (tx: Tx, added: readonly MediaRow[]) => Promise<void>

/** Adds prepared items under the cap, in one transaction with the end of their uploads. Throws full, adding nothing. */
export async function addToLibrary(system: System, owner: OwnerId, prepared: readonly MediaRow[], also?: AlsoWrite): Promise<MediaRow[]> {
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
 * several at once, it answers the same (design 5). Throws invalid with the words of spec 5 when the bytes are refused,
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
      if (error instanceof AppError && error.kind === 'full') await refuseUpload(system.db, owner, id, error.message, null)
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
  return await system.locks.acquire(uploadLock(id), { signal: new AbortController().signal, waitMs: waitForTurnMs, onWanted: () => {} })
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
