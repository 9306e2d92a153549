import * as fs from 'node:fs/promises'
import type { Config } from '../core/config.ts'
import { noRoom } from '../core/errors.ts'

type DiskState = { freeBytes: number; totalBytes: number; reserveBytes: number }

/** The disk for uploads, on which the database may be too. */
export type DiskSpace = ReturnType<typeof openDiskSpace>

const cacheMs = 500

/** The space of the disk with `folder`, of which `reserve` must stay free. A measurement is used for `cacheMs`. */
export function openDiskSpace(folder: string, reserve: Config['diskReserve']) {
  let last: { at: number; state: Promise<DiskState | undefined> } | undefined
  const readNow = async (): Promise<DiskState | undefined> => {
    try {
      await fs.mkdir(folder, { recursive: true })
      const { bavail, blocks, bsize } = await fs.statfs(folder)
      const totalBytes = blocks * bsize
      return {
        freeBytes: bavail * bsize,
        totalBytes,
        reserveBytes: Math.max(reserve.minBytes, (totalBytes * reserve.percent) / 100),
      }
    } catch {
      return undefined
    }
  }
  const read = async () => {
    if (!last || Date.now() - last.at > cacheMs) last = { at: Date.now(), state: readNow() }
    return await last.state
  }
  return {
    /** The state of the disk, up to half a second old; undefined if the system does not report it. */
    read,
    /** Throws noRoom when `bytes` more would use the reserve. */
    async requireSpace(bytes = 0): Promise<void> {
      const state = await read()
      if (state && state.freeBytes - bytes < state.reserveBytes) throw noRoom()
    },
  }
}
