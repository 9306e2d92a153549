import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs/promises'
import * as path from 'node:path'

/** A local copy to read, and how to let it go. */
export type LocalFile = { file: string; release: () => Promise<void> }

export type Scratch = {
  /** A path that nobody else uses, in a folder that is there. */
  file: () => Promise<string>
  /** Removes files that nobody has touched since `before`: a process died over them. */
  dropForgotten: (before: Date) => Promise<void>
}

/** Local files under way, in `folder`. */
export function openScratch(folder: string): Scratch {
  return {
    async file() {
      await fs.mkdir(folder, { recursive: true })
      return path.join(folder, randomUUID())
    },
    async dropForgotten(before) {
      for (const name of await fs.readdir(folder).catch(() => [])) {
        const touched = await fs.stat(path.join(folder, name)).catch(() => undefined)
        if (touched && touched.mtime < before) await fs.rm(path.join(folder, name), { force: true })
      }
    },
  }
}
