import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs/promises'
import * as path from 'node:path'

/** A file for reading. If it is a copy, it is deleted when it is disposed of. */
export type LocalFile = AsyncDisposable & { file: string }

export type Scratch = {
  /** A unique path in an existing folder. */
  file: () => Promise<string>
  /** Deletes files that were last modified before `before`: their process has died. */
  deleteStale: (before: Date) => Promise<void>
}

/** Temporary local files in `folder`. */
export function openScratch(folder: string): Scratch {
  return {
    async file() {
      await fs.mkdir(folder, { recursive: true })
      return path.join(folder, randomUUID())
    },
    async deleteStale(before) {
      for (const name of await fs.readdir(folder).catch(() => [])) {
        const stats = await fs.stat(path.join(folder, name)).catch(() => undefined)
        if (stats && stats.mtime < before) await fs.rm(path.join(folder, name), { force: true })
      }
    },
  }
}
