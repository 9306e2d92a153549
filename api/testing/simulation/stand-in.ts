import { randomBytes } from 'node:crypto'
import type { Random } from './random.ts'

/** A parsed request. */
export type Ask = {
  method: string
  host: string
  path: string
  query: URLSearchParams
  headers: Headers
  /** JSON, form and multipart fields alike. */
  fields: Record<string, unknown>
  /** The size of a body, or of the parts of one, that are not fields. */
  bytes: number
  token: string
}

export type StandInAnswer = { status: number; json?: unknown; headers?: Record<string, string> }

/** The delays until a network shows a post, and the share of uploads whose processing fails. */
export type StandInDelays = { listMs: number; statusMs: number; workMs: number; forgets: boolean; failShare: number }

/** The parameters of a stand-in, which has one artist. */
export type Setting = {
  now: () => number
  delays: StandInDelays
  random: Random
  pageId: string
  isAlive: (token: string) => boolean
}

/**
 * A minimal network with one page that can tell whether a post was made twice. Independent of the sandbox, so that both do not have
 * the same error.
 */
export type StandIn = {
  answer: (ask: Ask) => StandInAnswer
  /** How many posts the page shows by now. */
  shown: () => number
  /** Whether the network's lists or statuses show the post by now. */
  isListed: () => boolean
  /** The object whose state is asked for; undefined for all other requests. */
  polled: (ask: Ask) => string | undefined
  /** Forgets the upload under way. */
  forget: () => void
}

export const id = (digits = 15): string =>
  BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString()
    .padStart(20, '7')
    .slice(-digits)
    .replace(/^0/, '7')

/** An error in Meta's format. */
export function graphError(status: number, code: number, subcode?: number): StandInAnswer {
  return {
    status,
    json: {
      error: {
        message: 'no',
        type: 'OAuthException',
        code,
        ...(subcode === undefined ? {} : { error_subcode: subcode }),
      },
    },
  }
}

/** The bounds of a Content-Range; undefined for one that asks for the offset. */
export function rangeOf(headers: Headers): { first: number; last: number; total: number } | undefined {
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? []
  return first === undefined ? undefined : { first: Number(first), last: Number(last), total: Number(total) }
}
