import { randomBytes } from 'node:crypto'
import type { Random } from '../random.ts'

/** A request as a network parses it. */
export type StandInRequest = {
  method: string
  host: string
  path: string
  query: URLSearchParams
  headers: Headers
  /** The fields of a JSON, form or multipart body. */
  fields: Record<string, unknown>
  /** The size of the body, or of its parts, that are files. */
  bytes: number
  token: string
}

export type StandInAnswer = { status: number; json?: unknown; headers?: Record<string, string> }

/** The delays until a network shows a post, whether it may lose uploads, and the share of uploads whose processing fails. */
export type StandInDelays = {
  listMs: number
  statusMs: number
  workMs: number
  losesUploads: boolean
  failShare: number
}

/** The parameters of a stand-in, which serves one artist. */
export type StandInContext = {
  now: () => number
  delays: StandInDelays
  random: Random
  pageId: string
  isValidToken: (token: string) => boolean
}

/**
 * A minimal network with one page that counts its posts. Independent of the sandbox, so that an error in one is not in both.
 */
export type StandIn = {
  answer: (request: StandInRequest) => StandInAnswer
  /** The number of posts that the page shows by now. */
  postCount: () => number
  /** Whether the network's lists or statuses show the post by now. */
  isListed: () => boolean
  /** The id of the object whose state a request polls; undefined for all other requests. */
  polledId: (request: StandInRequest) => string | undefined
  /** Loses unfinished uploads. */
  loseUploads: () => void
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

/** The bounds of a Content-Range; undefined for one that queries the offset. */
export function rangeOf(headers: Headers): { first: number; last: number; total: number } | undefined {
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? []
  return first === undefined ? undefined : { first: Number(first), last: Number(last), total: Number(total) }
}
