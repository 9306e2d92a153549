import { S3ServiceException, type S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { networkErrorCodes } from '@flashsheet/db/database-unavailable'
import type { Config } from '../core/config.ts'
import { AppError, unavailable } from '../core/errors.ts'

export type S3Settings = Extract<Config['storage'], { kind: 's3' }>

/** The client's settings. The bucket is in the path, and checksums only where required, since older stores need that. */
export function clientConfig(settings: S3Settings): S3ClientConfig {
  return {
    endpoint: settings.endpoint,
    region: settings.region,
    forcePathStyle: true,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: connectMs, socketTimeout: settings.socketTimeoutMs },
  }
}

const connectMs = 3000
const retryAfterSeconds = 5

const notImplemented = 501

/** A time-out of connecting or of waiting for data. */
class StoreTimeout extends Error {
  override readonly name = 'StoreTimeout'
}

/** The SDK names a broken connection like a time-out, but for a broken connection an immediate retry helps. */
const isTimeout = (error: unknown): error is Error =>
  error instanceof Error &&
  error.name === 'TimeoutError' &&
  !['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')

/** Converts an error that means that the store is down or overloaded to `unavailable`; returns any other unchanged. */
export function toUnavailable(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error
  const { code } = error as NodeJS.ErrnoException
  const status = error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 0) : 0
  const isDown =
    (status >= 500 && status !== notImplemented) ||
    status === 429 ||
    error instanceof StoreTimeout ||
    (code !== undefined && networkErrorCodes.includes(code))
  return isDown ? unavailable(errorMessages.storageAway, retryAfterSeconds, error) : error
}

/** Makes a client throw `toUnavailable` of its errors, after its own retries. A time-out is not retried, since a user waits. */
export function mapOutages(client: S3Client): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args)
      } catch (error) {
        // The SDK retries any error named TimeoutError, also if it is the cause of another error.
        throw isTimeout(error) ? new StoreTimeout(error.message) : error
      }
    },
    { step: 'finalizeRequest', priority: 'low', name: 'doNotRetryTimeouts' },
  )
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args)
      } catch (error) {
        throw toUnavailable(error)
      }
    },
    { step: 'initialize', priority: 'high', name: 'mapOutages' },
  )
}

/** Whether the store answered with this status. */
export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === status
}
