import * as fs from 'node:fs/promises'
import { noRoom } from '../core/errors.ts'

/** The space that must stay free: a part of the disk and at least `leastBytes`, or `bytes` where that is set. */
export type DiskReserve = { percent: number; leastBytes: number }

type DiskState = { freeBytes: number; totalBytes: number; reserveBytes: number }

/** The disk for uploads, which may also hold the database. */
export type DiskSpace = {
  /** Undefined where the system does not report it. */
  look: () => Promise<DiskState | undefined>
  /** Throws noRoom when `bytes` more would use the reserve. */
  refuseWhenShort: (bytes?: number) => Promise<void>
}

/** Caches the free space this long. */
const freshMs = 500

export function openDiskSpace(folder: string, reserve: DiskReserve): DiskSpace {
  let last: { at: number; state: Promise<DiskState | undefined> } | undefined
  const read = async (): Promise<DiskState | undefined> => {
    try {
      await fs.mkdir(folder, { recursive: true })
      const { bavail, blocks, bsize } = await fs.statfs(folder)
      const totalBytes = blocks * bsize
      return {
        freeBytes: bavail * bsize,
        totalBytes,
        reserveBytes: Math.max(reserve.leastBytes, (totalBytes * reserve.percent) / 100),
      }
    } catch {
      return undefined
    }
  }
  const look = async () => {
    if (!last || Date.now() - last.at > freshMs) last = { at: Date.now(), state: read() }
    return await last.state
  }
  return {
    look,
    async refuseWhenShort(bytes = 0) {
      const state = await look()
      if (state && state.freeBytes - bytes < state.reserveBytes) throw noRoom()
    },
  }
}
