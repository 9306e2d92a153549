import { S3ServiceException, type S3ClientConfig } from '@aws-sdk/client-s3'
import type { StorageConfig } from '../core/config.ts'

export type S3Settings = Extract<StorageConfig, { kind: 's3' }>

/** How this product talks to a store: the bucket in the path, and checksums only where S3 itself asks for them, as older stores know no others. */
export function clientConfig(settings: S3Settings): S3ClientConfig {
  return {
    endpoint: settings.endpoint,
    region: settings.region,
    forcePathStyle: true,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  }
}

/** Whether the store answered with this status. */
export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === status
}
