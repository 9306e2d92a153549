import type { ErrorBody } from '@flashsheet/contracts/errors/schema'
import { TRPCClientError } from '@trpc/client'
import { aText, fields, recordOf } from './read-stored-json.ts'

/** A failed call, in words for the person who made it. */
export type Failure = {
  /** The server's message when it sent one, else the fallback of the screen. */
  message: string
  /** What to do when no answer came; the name for it is `code`. */
  detail?: string
  /** `code` of the error body; FETCH_ERROR, TIMEOUT_ERROR, PARSING_ERROR or the HTTP status when there was none. */
  code: string
  /** Messages at fields. */
  fields?: Record<string, string>
}

const noAnswer = {
  FETCH_ERROR: 'We could not reach the server. Check your connection and try again.',
  TIMEOUT_ERROR: 'The server took too long to answer. Please try again.',
  PARSING_ERROR: 'The answer could not be read. Please try again in a moment.',
  HTTP: 'The server is not answering as it should. Please try again in a moment.',
} as const

/** The innermost reason: the client wraps what fetch threw. */
function innermost(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? innermost(error.cause) : error
}

/** The error body the server sent, from either door. */
function refusalOf(error: unknown): ErrorBody | undefined {
  if (!(error instanceof TRPCClientError)) return errorBodyOf(error)
  // What is refused before the procedure is known comes as it does at the other door.
  return errorBodyOf(error.data?.refusal) ?? errorBodyOf(error.meta?.['responseJSON'])
}

const messages = recordOf(aText)

/** What the server answers when it refuses; undefined where this is something else. */
export function errorBodyOf(value: unknown): ErrorBody | undefined {
  const body = withWords(value)
  if (!body) return undefined
  const said = messages((value as Partial<ErrorBody>).fields)
  return said ? { ...body, fields: said } : body
}

const withWords = fields<Pick<ErrorBody, 'message' | 'code'>>({ message: aText, code: aText })

/** The HTTP status of an answer that was no answer of ours: a proxy's page, say. */
function statusOf(error: unknown): number | undefined {
  const response: unknown = error instanceof TRPCClientError ? error.meta?.['response'] : undefined
  return response instanceof Response ? response.status : undefined
}

/** Says what went wrong: the server's words, else `fallback` with what to do about it. Takes anything thrown. */
export function failureOf(error: unknown, fallback: string): Failure {
  const refusal = refusalOf(error)
  if (refusal) {
    return { message: refusal.message, code: refusal.code, ...(refusal.fields ? { fields: refusal.fields } : {}) }
  }
  const reason = innermost(error)
  const status = statusOf(error)
  if (reason instanceof Error && (reason.name === 'TimeoutError' || reason.name === 'AbortError')) {
    return { message: fallback, detail: noAnswer.TIMEOUT_ERROR, code: 'TIMEOUT_ERROR' }
  }
  if (status !== undefined && status >= 400) {
    return { message: fallback, detail: noAnswer.HTTP, code: String(status) }
  }
  if (reason instanceof SyntaxError) return { message: fallback, detail: noAnswer.PARSING_ERROR, code: 'PARSING_ERROR' }
  if (reason instanceof TypeError) return { message: fallback, detail: noAnswer.FETCH_ERROR, code: 'FETCH_ERROR' }
  return { message: fallback, code: 'unknown' }
}

/** Whether what answers is away for a moment: the same question may be asked again. */
export const isUnavailable = (error: unknown): boolean =>
  refusalOf(error)?.code === 'unavailable' || statusOf(error) === 503
