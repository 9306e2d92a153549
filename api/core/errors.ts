import '@flashsheet/contracts/refusals'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import type { ErrorBody, ErrorKind, ForbiddenCode } from '@flashsheet/contracts/errors/schema'
import { isDatabaseUnavailable } from '@flashsheet/db/database-unavailable'
import type { TRPC_ERROR_CODE_KEY } from '@trpc/server'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { STATUS_CODES } from 'node:http'
import { ZodError } from 'zod'
import { isDiskFull, isDiskUnavailable } from './disk-errors.ts'

/** The status of each kind of refusal in REST and tRPC. */
export const errorTable: Record<ErrorKind, { status: ContentfulStatusCode; trpc: TRPC_ERROR_CODE_KEY }> = {
  invalid: { status: 400, trpc: 'BAD_REQUEST' },
  unauthenticated: { status: 401, trpc: 'UNAUTHORIZED' },
  forbidden: { status: 403, trpc: 'FORBIDDEN' },
  notFound: { status: 404, trpc: 'NOT_FOUND' },
  conflict: { status: 409, trpc: 'CONFLICT' },
  full: { status: 409, trpc: 'CONFLICT' },
  tooLarge: { status: 413, trpc: 'PAYLOAD_TOO_LARGE' },
  tooMany: { status: 429, trpc: 'TOO_MANY_REQUESTS' },
  upstream: { status: 502, trpc: 'BAD_GATEWAY' },
  unavailable: { status: 503, trpc: 'SERVICE_UNAVAILABLE' },
  // tRPC has no code of its own for a full disk.
  noRoom: { status: 507, trpc: 'SERVICE_UNAVAILABLE' },
  internal: { status: 500, trpc: 'INTERNAL_SERVER_ERROR' },
}

/** Retry-After while a dependency is unavailable. */
export const unavailableSeconds = 2

/** Long, since an operator must free space. */
const noRoomSeconds = 300

type Details = {
  code?: string
  fields?: Record<string, string>
  /** Seconds until a retry makes sense; becomes Retry-After. */
  retryAfter?: number
  /** Further members of the answer's body, e.g. `next` or `reconnectUrl`. */
  extra?: Record<string, unknown>
  /** Members of RFC 9457 that replace or extend the standard ones, e.g. `type`. */
  problem?: Record<string, unknown>
  /** Parameters of WWW-Authenticate. */
  challenge?: string
  cause?: unknown
}

/** A refusal with a sentence for the user. Made by the functions below. */
export class AppError extends Error {
  readonly kind: ErrorKind
  readonly code: string
  readonly fields: Record<string, string> | undefined
  readonly retryAfter: number | undefined
  readonly extra: Record<string, unknown> | undefined
  readonly problem: Record<string, unknown> | undefined
  readonly challenge: string | undefined

  constructor(kind: ErrorKind, message: string, details: Details = {}) {
    super(message, { cause: details.cause })
    this.name = 'AppError'
    this.kind = kind
    this.code = details.code ?? kind
    this.fields = details.fields
    this.retryAfter = details.retryAfter
    this.extra = details.extra
    this.problem = details.problem
    this.challenge = details.challenge
  }
}

export const invalid = (message: string, fields?: Record<string, string>) =>
  new AppError('invalid', message, fields ? { fields } : {})
/** Invalid because of one field. */
export const invalidField = (field: string, message: string) => invalid(message, { [field]: message })
export const unauthenticated = (message: string = errorMessages.unauthenticated) =>
  new AppError('unauthenticated', message)
export const forbidden = (code: ForbiddenCode, message: string, extra?: Record<string, unknown>) =>
  new AppError('forbidden', message, extra ? { code, extra } : { code })
export const notFound = (message: string = errorMessages.notFound) => new AppError('notFound', message)
export const conflict = (message: string, extra?: Record<string, unknown>) =>
  new AppError('conflict', message, extra ? { extra } : {})
export const full = (message: string) => new AppError('full', message)
export const tooLarge = (message: string = errorMessages.tooLarge) => new AppError('tooLarge', message)
export const tooMany = (
  retryAfter: number,
  message: string = errorMessages.tooMany,
  problem: Record<string, unknown> = {},
) => new AppError('tooMany', message, { retryAfter, problem })
export const upstream = (message: string, cause?: unknown) => new AppError('upstream', message, { cause })

/** A dependency is down or overloaded; `retryAfter` in seconds. */
export const unavailable = (
  message: string = errorMessages.unavailable,
  retryAfter = unavailableSeconds,
  cause?: unknown,
) => new AppError('unavailable', message, { retryAfter, cause })

/** Longer than `unavailableSeconds`, since a store rarely recovers at once. */
const storageUnavailableSeconds = 5

/** The store of files does not work: uploads and files are refused, everything else continues. */
export const storageUnavailable = (cause: unknown) =>
  unavailable(errorMessages.storageUnavailable, storageUnavailableSeconds, cause)

/** The disk reserve is reached: uploads are refused, so that the database can keep writing. */
export const noRoom = (cause?: unknown) =>
  new AppError('noRoom', errorMessages.noRoom, { retryAfter: noRoomSeconds, cause })

/** Converts anything thrown to a refusal; an unknown error reveals nothing. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof ZodError) {
    const fields: Record<string, string> = {}
    for (const issue of error.issues) fields[issue.path.map(String).join('.') || 'body'] ??= issue.message
    return invalid(error.issues[0]?.message ?? errorMessages.malformed, fields)
  }
  if (isDatabaseUnavailable(error)) return unavailable(errorMessages.unavailable, unavailableSeconds, error)
  if (isDiskFull(error)) return noRoom(error)
  if (isDiskUnavailable(error)) return storageUnavailable(error)
  return new AppError('internal', errorMessages.unknown, { cause: error })
}

export function errorBody(error: AppError): ErrorBody & Record<string, unknown> {
  return { ...error.extra, message: error.message, code: error.code, ...(error.fields ? { fields: error.fields } : {}) }
}

export function errorHeaders(error: AppError): Record<string, string> {
  const headers: Record<string, string> = {}
  if (error.retryAfter !== undefined) headers['Retry-After'] = String(error.retryAfter)
  if (error.kind === 'unauthenticated')
    headers['WWW-Authenticate'] =
      error.challenge === undefined
        ? error.code === 'key'
          ? 'Bearer error="invalid_token"'
          : 'Bearer'
        : `Bearer ${error.challenge}`
  if (error.code === 'scope') {
    const scope = error.extra?.['scope']
    headers['WWW-Authenticate'] =
      `Bearer error="insufficient_scope"${typeof scope === 'string' ? `, scope="${scope}"` : ''}`
  }
  return headers
}

export const problemType = 'application/problem+json'

/** Whether a caller asks for the members of RFC 9457 beside ours. */
export const acceptsProblem = (accept: string | null | undefined): boolean => accept?.includes(problemType) === true

/** The standard members of RFC 9457. */
export function problemMembers(status: number, detail: string, requestId: string | undefined): Record<string, unknown> {
  return {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? '',
    status,
    detail,
    ...(requestId === undefined ? {} : { instance: `urn:uuid:${requestId}` }),
  }
}

/** An error body as it is sent: with the members of RFC 9457 for a caller that asks for them. */
export const withProblemMembers = (
  accept: string | null | undefined,
  status: number,
  body: ErrorBody,
  requestId: string | undefined,
): ErrorBody => (acceptsProblem(accept) ? { ...problemMembers(status, body.message, requestId), ...body } : body)

/** The members of RFC 9457 for a refusal. */
export function problemOf(error: AppError, requestId: string | undefined): Record<string, unknown> {
  return { ...problemMembers(errorTable[error.kind].status, error.message, requestId), ...error.problem }
}
