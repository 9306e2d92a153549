import { S3ServiceException, type S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import type { StorageConfig } from '../core/config.ts'
import { AppError, unavailable } from '../core/errors.ts'

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

/** The store let a connection wait, or said nothing on it, for as long as it may. */
class StoreSilent extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StoreSilent'
  }
}

/** The client gives a connection that broke the same name as one that stands still; asking again helps there, and at once. */
const isSilence = (error: unknown): error is Error =>
  error instanceof Error &&
  error.name === 'TimeoutError' &&
  !['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')

/** An error of the store as the product tells it: `unavailable` where the store is away or has too much to do, else as it is. */
export function told(error: unknown): unknown {
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

/** Makes a client throw what `told` makes of its errors, after all its own tries; who was silent is not asked again, since somebody waits. */
export function tellOutages(client: S3Client): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args)
      } catch (error) {
        // The client tries again after any error of this name, also where it is only the cause of another.
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
        throw told(error)
      }
    },
    { step: 'initialize', priority: 'high', name: 'tellOutages' },
  )
}

/** Whether the store answered with this status. */
export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === status
}
