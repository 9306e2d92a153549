import { randomBytes } from 'node:crypto'
import type { Random } from './random.ts'

/** One request as a stand-in sees it: what the wire carried, read. */
export type Ask = {
  method: string
  host: string
  path: string
  query: URLSearchParams
  headers: Headers
  /** JSON, form and multipart fields alike. */
  fields: Record<string, unknown>
  /** How many bytes came where they were no fields. */
  bytes: number
  token: string
}

export type StandInAnswer = { status: number; json?: unknown; headers?: Record<string, string> }

/** How late a network shows one post, in milliseconds, and the share of the uploads that it fails to process. */
export type StandInDelays = { listMs: number; statusMs: number; workMs: number; forgets: boolean; failShare: number }

/** What all stand-ins know of the one artist who uses them. */
export type Setting = {
  now: () => number
  delays: StandInDelays
  random: Random
  pageId: string
  isAlive: (token: string) => boolean
}

/**
 * A network as small as it can be to tell whether a post was made twice, written apart from the sandbox, so that both are not
 * wrong in the same way. Serves one page.
 */
export type StandIn = {
  answer: (ask: Ask) => StandInAnswer
  /** How many posts the page shows by now. */
  shown: () => number
  /** Whether the network's lists or statuses show the post by now. */
  isListed: () => boolean
  /** The object whose state is asked for; undefined for all other requests. */
  polled: (ask: Ask) => string | undefined
  /** The upload that is under way is forgotten. */
  forget: () => void
}

export const id = (digits = 15): string =>
  BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString()
    .padStart(20, '7')
    .slice(-digits)
    .replace(/^0/, '7')

/** Meta's error. */
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

/** The bounds of a Content-Range; undefined: it asks what is there. */
export function rangeOf(headers: Headers): { first: number; last: number; total: number } | undefined {
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? []
  return first === undefined ? undefined : { first: Number(first), last: Number(last), total: Number(total) }
}
