import * as fs from 'node:fs/promises'
import type { System } from '../../../core/context.ts'
import { CannotCopy, remux } from './remux.ts'

/**
 * Puts the film under `from` into a clean container under `to`, once. Answers why its frames cannot be copied, if they cannot;
 * throws what the storage or the disk threw, which says nothing of the film.
 */
export async function copyFilm(system: System, from: string, to: string): Promise<CannotCopy | undefined> {
  const { storage } = system.gateways
  const source = await storage.localFile(from)
  try {
    const draft = await storage.scratch.file()
    try {
      await remux(source.file, draft)
      await storage.putFileOnce(to, draft)
    } finally {
      await fs.rm(draft, { force: true })
    }
    return undefined
  } catch (error) {
    if (error instanceof CannotCopy) return error
    throw error
  } finally {
    await source.release()
  }
}
