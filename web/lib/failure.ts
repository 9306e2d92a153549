import type { ErrorBody } from '@flashsheet/contracts/errors/schema'
import { TRPCClientError } from '@trpc/client'
import { objectOf, recordOf, string } from './read-stored-json.ts'

/** A failed call, with texts for its user. */
export type Failure = {
  /** The server's message when it sent one, otherwise the fallback of the screen. */
  message: string
  /** What to do when the server sent no message. */
  detail?: string
  /** `code` of the error body; FETCH_ERROR, TIMEOUT_ERROR, PARSING_ERROR or the HTTP status when it has none. */
  code: string
  /** Messages per field. */
  fields?: Record<string, string>
}

const details = {
  FETCH_ERROR: 'We could not reach the server. Check your connection and try again.',
  TIMEOUT_ERROR: 'The server took too long to answer. Please try again.',
  PARSING_ERROR: 'The answer could not be read. Please try again in a moment.',
  HTTP: 'The server is not answering as it should. Please try again in a moment.',
} as const

/** tRPC wraps the error that fetch threw. */
function rootCauseOf(error: Error): Error {
  return error.cause instanceof Error ? rootCauseOf(error.cause) : error
}

/** The error body of a tRPC or REST response. */
function refusalOf(error: unknown): ErrorBody | undefined {
  if (!(error instanceof TRPCClientError)) return errorBodyOf(error)
  // A refusal before the procedure is known has the REST shape.
  return errorBodyOf(error.data?.refusal) ?? errorBodyOf(error.meta?.['responseJSON'])
}

const readBody = objectOf<Pick<ErrorBody, 'message' | 'code'>>({ message: string, code: string })
const readFieldMessages = recordOf(string)

/** The error body of the server; undefined for any other value. */
export function errorBodyOf(value: unknown): ErrorBody | undefined {
  const body = readBody(value)
  if (!body) return undefined
  const messages = readFieldMessages((value as Partial<ErrorBody>).fields)
  return messages ? { ...body, fields: messages } : body
}

/** The HTTP status of a response without our error body, such as a proxy's page. tRPC attaches only one that is JSON. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof TRPCClientError)) return undefined
  const response: unknown = error.meta?.['response'] ?? rootCauseOf(error).cause
  return response instanceof Response ? response.status : undefined
}

/** Turns anything thrown into a failure: the server's message, otherwise `fallback` with advice. */
export function failureOf(error: unknown, fallback: string): Failure {
  const refusal = refusalOf(error)
  if (refusal) return { message: refusal.message, code: refusal.code, fields: refusal.fields }
  const reason = error instanceof Error ? rootCauseOf(error) : undefined
  const status = statusOf(error)
  if (reason?.name === 'TimeoutError' || reason?.name === 'AbortError') {
    return { message: fallback, detail: details.TIMEOUT_ERROR, code: 'TIMEOUT_ERROR' }
  }
  if (status !== undefined && status >= 400) {
    return { message: fallback, detail: details.HTTP, code: String(status) }
  }
  if (reason instanceof SyntaxError) return { message: fallback, detail: details.PARSING_ERROR, code: 'PARSING_ERROR' }
  if (reason instanceof TypeError) return { message: fallback, detail: details.FETCH_ERROR, code: 'FETCH_ERROR' }
  return { message: fallback, code: 'unknown' }
}

/** Whether the server is temporarily unavailable: the same request may be repeated. */
export const isUnavailable = (error: unknown): boolean =>
  refusalOf(error)?.code === 'unavailable' || statusOf(error) === 503
