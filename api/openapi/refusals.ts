import { keyMessages } from '@flashsheet/contracts/keys/messages'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import { keyRefusal } from '../core/api-keys.ts'
import {
  conflict,
  errorBody,
  errorTable,
  forbidden,
  invalid,
  noRoom,
  notFound,
  problemMembers,
  problemOf,
  tooLarge,
  tooMany,
  unavailable,
  upstream,
  type AppError,
} from '../core/errors.ts'
import { takesFiles, type RestRow } from '../core/rest.ts'
import type { Json } from './header.ts'
import { nameOf } from './response-descriptions.ts'

type Refusal = { status: number; words: string; body: Json; problem: Json }

const thrown = (words: string, error: AppError): Refusal => ({
  status: errorTable[error.kind].status,
  words,
  body: errorBody(error),
  problem: problemOf(error, undefined),
})
/** A refusal with a status that only the tus protocol has. */
const ofTus = (status: number, words: string, message: string, code: string): Refusal => ({
  status,
  words,
  body: { message, code },
  problem: problemMembers(status, message, undefined),
})

/** The refusals of the document, each with an example. */
const refusals: readonly Refusal[] = [
  thrown(
    'The input is invalid; `fields` names the fields.',
    invalid(postMessages.pageRequired, { variants: postMessages.pageRequired }),
  ),
  thrown('Not logged in, or the API key is not valid (`key`).', keyRefusal()),
  thrown(
    'The caller is not allowed to: `scope`, `no_subscription`, `plan`, `unverified`, `deactivated`, `leaving`, `origin`, `admin`.',
    forbidden('scope', keyMessages.missingScope('posts:write'), { scope: 'posts:write' }),
  ),
  thrown('It does not exist, or belongs to another artist.', notFound()),
  thrown('It conflicts with the current state.', conflict(postMessages.requestReused)),
  ofTus(
    412,
    'Unsupported version of the protocol; `Tus-Version` names the supported one.',
    mediaMessages.tusVersion,
    'invalid',
  ),
  thrown('It is too large.', tooLarge()),
  ofTus(415, 'Unsupported content type of a chunk.', mediaMessages.tusPieceType, 'invalid'),
  ofTus(423, 'Another request is still sending this file.', mediaMessages.tusLocked, 'locked'),
  thrown('Too many requests; `Retry-After` says when to retry.', tooMany(31, keyMessages.tooMany)),
  thrown('Stripe or a network refused or did not answer.', upstream(socialMessages.unreachable('tiktok'))),
  thrown('A service that the answer needs is unavailable; `Retry-After` says when to retry.', unavailable()),
  thrown('The storage is full; `Retry-After` says when to retry.', noRoom()),
]

/** Statuses that do not follow from the method and the path. */
const otherStatuses: Partial<Record<string, readonly number[]>> = {
  'PUT /api/users/profile': [404],
  'GET /api/subscriptions/current': [404],
  'POST /api/subscriptions/create-checkout-session': [502],
  'POST /api/subscriptions/cancel': [404, 502],
  'POST /api/subscriptions/reactivate': [404, 502],
  'DELETE /api/media': [404],
  'PUT /api/social-accounts/:id/token': [502],
  'GET /api/social-connect/:platform': [409],
  'POST /api/websitebuilder/gallery': [404],
  'GET /api/appointments/booked': [404],
  'POST /api/appointments': [404],
}

/** The possible refusals of a row, as references to the document's refusals. */
export function refusalsOf(row: RestRow, hasInput: boolean): Json {
  const isTus = row.takes === 'tus'
  const statuses = [
    ...(hasInput || row.takes === 'webhook' ? [400] : []),
    401,
    ...(row.guard === 'public' && row.key === 'any' ? [] : [403]),
    ...(row.path.includes(':') ? [404] : []),
    ...(row.method === 'GET' || row.method === 'OPTIONS' ? [] : [409, 413]),
    ...(isTus && row.method !== 'OPTIONS' ? [412] : []),
    ...(isTus && row.method === 'PATCH' ? [415] : []),
    // Only these lock the upload.
    ...(isTus && ['PATCH', 'GET', 'DELETE'].includes(row.method) ? [423] : []),
    429,
    503,
    ...(takesFiles(row) ? [507] : []),
    ...(otherStatuses[nameOf(row)] ?? []),
  ]
  return Object.fromEntries(
    statuses.map((status) => [String(status), { $ref: `#/components/responses/Refusal${status}` }]),
  )
}

/** The document's refusals, in both formats. */
export const refusalResponses: Json = Object.fromEntries(
  refusals.map(({ status, words, body, problem }) => [
    `Refusal${status}`,
    {
      description: words,
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' }, example: body },
        'application/problem+json': {
          schema: { $ref: '#/components/schemas/Problem' },
          example: { ...problem, ...body },
        },
      },
    },
  ]),
)
