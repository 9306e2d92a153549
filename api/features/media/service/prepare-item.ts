import type { MediaType } from '@flashsheet/contracts/media/limits'
import * as fs from 'node:fs/promises'
import type { System } from '../../../core/context.ts'
import { invalid } from '../../../core/errors.ts'
import type { OwnerId } from '../../../core/scope.ts'
import type { MediaRow } from '../queries/items.ts'
import { emptyFileMessage, sizeRule, unknownBytesMessage } from '../rules/refusals.ts'
import { headBytes, sniffType } from '../rules/sniff.ts'
import { drawPlaceholder } from './draw-placeholder.ts'
import { runFileTask } from './file-tasks.ts'
import { displayKey, originalKey, thumbnailKey } from './keys.ts'

/** A completely received file. Its item will have the same id. */
type ArrivedFile = { id: string; fileName: string; declaredType: string }

/**
 * Validates a received file by its bytes and stores its original and derivatives; the returned row is not inserted yet.
 * Safe to repeat after a crash at any point: the same bytes have the same keys. Throws invalid with a message for the
 * artist, without deleting the file.
 */
export async function prepareItem(system: System, owner: OwnerId, arrived: ArrivedFile): Promise<MediaRow> {
  const { storage } = system.gateways
  const { id, fileName, declaredType } = arrived
  const original = originalKey(id)
  const partialBytes = await storage.partialUploads.bytes(id)
  // An earlier run that was interrupted may have moved the file.
  const bytes = partialBytes ?? (await storage.size(original))
  if (bytes === undefined) throw new Error(`the bytes of upload ${id} are gone`)
  await using source =
    partialBytes === undefined ? await storage.localFile(original) : await storage.partialUploads.localFile(id)
  if (bytes === 0) throw invalid(emptyFileMessage(declaredType))
  const type = sniffType(await readHead(source.file))
  if (type === undefined) throw invalid(unknownBytesMessage(declaredType))
  const rule = sizeRule(type)
  if (bytes > rule.bytes) throw invalid(rule.message)
  const createdAt = system.now()
  const [derived] = await Promise.all([
    inspectAndDerive(system, owner, { id, file: source.file, type }),
    // Starts the fsync early, because moving the file must wait for it.
    partialBytes === undefined ? undefined : storage.partialUploads.flush(id),
  ])
  if (partialBytes !== undefined) await storage.take(id, original)
  return { id, userId: owner, fileName, bytes, originalKey: original, createdAt, mimeType: type, ...derived }
}

/** What the inspection of a file finds and stores. */
type Derived = Pick<MediaRow, 'kind' | 'width' | 'height' | 'durationMs' | 'displayKey' | 'thumbnailKey' | 'videoFacts'>

async function inspectAndDerive(
  system: System,
  owner: OwnerId,
  { id, file, type }: { id: string; file: string; type: MediaType },
): Promise<Derived> {
  const { storage } = system.gateways
  const storeThumbnail = async (bytes: Uint8Array) => {
    const key = thumbnailKey(id, bytes)
    await storage.put(key, bytes)
    return key
  }
  if (type === 'image/jpeg' || type === 'image/png') {
    const { width, height, display, thumbnail } = await runFileTask(system, owner, 'inspectImage', file, type)
    const key = displayKey(id, display.extension)
    await storage.put(key, display.bytes)
    const stored = { displayKey: key, thumbnailKey: await storeThumbnail(thumbnail) }
    return { kind: 'image', width, height, durationMs: null, ...stored, videoFacts: null }
  }
  const video = await runFileTask(system, owner, 'inspectVideo', file)
  const { width, height, durationMs, facts } = video
  const thumbnail = await storeThumbnail(await drawPlaceholder(video))
  return { kind: 'video', width, height, durationMs, displayKey: null, thumbnailKey: thumbnail, videoFacts: facts }
}

async function readHead(file: string): Promise<Uint8Array> {
  await using handle = await fs.open(file, 'r')
  const head = Buffer.alloc(headBytes)
  const { bytesRead } = await handle.read(head, 0, headBytes, 0)
  return head.subarray(0, bytesRead)
}
