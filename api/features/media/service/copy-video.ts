import * as fs from 'node:fs/promises'
import type { System } from '../../../core/context.ts'
import { AppError } from '../../../core/errors.ts'
import type { MediaRow } from '../queries/items.ts'
import { runFileTask } from './file-tasks.ts'

/**
 * Remuxes a video's original into a clean container under `to`, once. Returns why its frames cannot be copied, if they
 * cannot; throws errors of the storage, the disk or a full queue, which do not blame the video.
 */
export async function copyVideo(system: System, item: Pick<MediaRow, 'userId' | 'originalKey'>, to: string) {
  const { storage } = system.gateways
  await using source = await storage.localFile(item.originalKey)
  const draft = await storage.scratch.file()
  try {
    await runFileTask(system, item.userId, 'remuxVideo', source.file, draft)
    await storage.putFileIfAbsent(to, draft)
    return undefined
  } catch (error) {
    if (error instanceof AppError && error.kind === 'invalid') return error.message
    throw error
  } finally {
    await fs.rm(draft, { force: true })
  }
}
