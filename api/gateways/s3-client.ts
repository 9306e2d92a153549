import { S3ServiceException, type S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import type { StorageConfig } from '../core/config.ts'
import { AppError, unavailable } from '../core/errors.ts'

export type S3Settings = Extract<StorageConfig, { kind: 's3' }>

/**
 * The client's settings: the bucket in the path, and checksums only where S3 requires them, since older stores support
 * no others.
 */
export function clientConfig(settings: S3Settings): S3ClientConfig {
  return {
    endpoint: settings.endpoint,
    region: settings.region,
    forcePathStyle: true,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: connectMs, socketTimeout: settings.silenceMs },
  }
}

const connectMs = 3000
const retryAfterSeconds = 5

const networkCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
]
const notImplemented = 501

/** A timeout of connecting or of waiting for data. */
class StoreSilent extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StoreSilent'
  }
}

/** The SDK gives a broken connection the same error name as a timeout; after a broken one an immediate retry helps. */
const isSilence = (error: unknown): error is Error =>
  error instanceof Error &&
  error.name === 'TimeoutError' &&
  !['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')

/** Maps an error of the store: `unavailable` where the store is down or overloaded, else unchanged. */
export function toUnavailable(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error
  const { code } = error as NodeJS.ErrnoException
  const status = error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 0) : 0
  const isAway =
    (status >= 500 && status !== notImplemented) ||
    status === 429 ||
    error instanceof StoreSilent ||
    (code !== undefined && networkCodes.includes(code))
  return isAway ? unavailable(errorMessages.storageAway, retryAfterSeconds, error) : error
}

/**
 * Makes a client throw what `told` makes of its errors, after its own retries; a timeout is not retried, since somebody
 * waits.
 */
export function mapOutages(client: S3Client): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args)
      } catch (error) {
        // The SDK retries any error of this name, also where it is only the cause of another.
        throw isSilence(error) ? new StoreSilent(error.message) : error
      }
    },
    { step: 'finalizeRequest', priority: 'low', name: 'askOnceWhoIsSilent' },
  )
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args)
      } catch (error) {
        throw toUnavailable(error)
      }
    },
    { step: 'initialize', priority: 'high', name: 'tellOutages' },
  )
}

/** Whether the store answered with this status. */
export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === status
}
