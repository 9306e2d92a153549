import { mediaLimits } from '@flashsheet/contracts/media/limits'
import type { Config } from '../core/config.ts'
import { createDiskStorage } from './storage-disk.ts'
import type { DiskSpace } from './disk-space.ts'
import type { Storage } from './storage.ts'

/** Opens the configured storage: a folder on disk, or a bucket of an S3-compatible store. */
export async function openStorage(config: Config, diskSpace: DiskSpace): Promise<Storage> {
  const expiresAfterMs = mediaLimits.uploadHours * 3_600_000
  if (config.storage.kind === 'disk') return createDiskStorage(config.storage.folder, expiresAfterMs, diskSpace)
  // The SDK loads slowly and a disk does not need it.
  const { createS3Storage } = await import('./storage-s3.ts')
  return createS3Storage(config.storage, expiresAfterMs)
}
