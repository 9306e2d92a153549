import { S3ServiceException, type S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { networkErrorCodes } from '@flashsheet/db/database-unavailable'
import type { Config } from '../core/config.ts'
import { AppError, storageUnavailable } from '../core/errors.ts'

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
    requestHandler: {
      connectionTimeout: connectMs,
      socketTimeout: settings.socketTimeoutMs,
      httpAgent: connections,
      httpsAgent: connections,
    },
  }
}

const connectMs = 3000
/** A slow download keeps its connection to the store. With the SDK's limit of 50, as many would make the store unavailable. */
const connections = {
  maxSockets: Infinity,
  // A request on one that the store has just closed is retried, but the SDK starts at most 35 retries at a time.
  maxFreeSockets: 20,
}

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

/** The store waited too long for our request. It answers 400 or 408. */
const requestTimeout = 'RequestTimeout'

/**
 * Converts an error that means that the store is down or overloaded, or that something else answered in its place, to
 * `unavailable`; returns any other unchanged.
 */
export function toUnavailable(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error
  const { code = '', $metadata: answer } = error as NodeJS.ErrnoException & Partial<S3ServiceException>
  const status = answer?.httpStatusCode
  const isDown =
    // Such a page comes from a proxy in front of the store.
    (status !== undefined && !(error instanceof S3ServiceException)) ||
    (status !== undefined && status >= 500 && status !== notImplemented) ||
    status === 429 ||
    error.name === requestTimeout ||
    error instanceof StoreTimeout ||
    networkErrorCodes.includes(code) ||
    code.startsWith('HPE_')
  return isDown ? storageUnavailable(error) : error
}

type Answer = {
  $metadata: unknown
  ContentLength?: unknown
  CopyObjectResult?: { ETag?: unknown } | undefined
  ETag?: unknown
  Key?: unknown
  Name?: unknown
  UploadId?: unknown
}
const etag = ({ ETag }: Answer) => ETag

/** What each answer of a store contains. Without it, it may be a page of a proxy: nothing was stored, listed or missed. */
const proofs: Record<string, (answer: Answer) => unknown> = {
  // Ceph's ETag may be empty.
  CompleteMultipartUploadCommand: ({ Key }) => Key,
  CopyObjectCommand: ({ CopyObjectResult }) => CopyObjectResult?.ETag,
  CreateMultipartUploadCommand: ({ UploadId }) => UploadId,
  GetObjectCommand: etag,
  HeadObjectCommand: ({ ContentLength }) => ContentLength,
  ListObjectsV2Command: ({ Name }) => Name,
  ListPartsCommand: ({ UploadId }) => UploadId,
  PutObjectCommand: etag,
  UploadPartCommand: etag,
}

function requireProof(command: string, answer: Answer): void {
  if (proofs[command]?.(answer) === undefined && command in proofs)
    throw storageUnavailable(new Error(`an answer to ${command} is not the store's`))
}

/**
 * Makes a client throw `toUnavailable` of its errors, after its own retries, and `unavailable` for an answer that proves
 * nothing. A time-out is not retried, since a user waits.
 */
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
    (next, { commandName = '' }) =>
      async (args) => {
        try {
          const result = await next(args)
          requireProof(commandName, result.output)
          return result
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
