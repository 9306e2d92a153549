import { TRPCClientError } from '@trpc/client'
import type { Answer, Artist, Visitor } from './actors.ts'

/** An id that no row has. */
export const unknownId = '00000000-0000-7000-8000-000000000000'

type Outcome = { refused: { status: number; body: unknown } } | { answered: unknown }

/** Replaces values that differ between two runs by placeholders: ids, instants, addresses made for one artist. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, comparable(inner)]))
  if (typeof value !== 'string') return value
  return value
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<instant>')
    .replaceAll(/artist-[0-9a-f]+@/g, '<artist>@')
    .replaceAll(/parity-[0-9a-f]{12}/g, '<domain-name>')
    .replaceAll(/\b(cs|cus|sub)_[A-Za-z0-9_]+/g, '<stripe>')
    .replaceAll(/fs_test_[0-9A-Za-z]+/g, '<key>')
    .replaceAll(/http:\/\/[^\s"]+/g, '<address>')
}

/** Whether the answer is 401 or 403. */
export const isForbidden = (outcome: Outcome): boolean =>
  'refused' in outcome && [401, 403].includes(outcome.refused.status)

async function atRest(ask: Promise<Answer>): Promise<Outcome> {
  const { status, body } = await ask
  return status >= 400 ? { refused: { status, body: comparable(body) } } : { answered: comparable(body) }
}

async function atTrpc(ask: Promise<unknown>): Promise<Outcome> {
  try {
    return { answered: comparable(await ask) }
  } catch (error) {
    if (!(error instanceof TRPCClientError)) throw error
    const data = error.data as { httpStatus: number; refusal: unknown }
    return { refused: { status: data.httpStatus, body: comparable(data.refusal) } }
  }
}

type Call<S> = (visitor: Visitor, setting: S) => Promise<Outcome>
/** The same call over REST and over tRPC. `setting` creates what it needs of a subscribed artist. */
export type Case<S> = { name: string; rest: Call<S>; trpc: Call<S>; setting?: (artist: Artist) => Promise<S> }

/** Creates the case of a call; `rest` and `trpc` send it. */
export function parityCase<S = undefined>(
  name: string,
  rest: (visitor: Visitor, setting: S) => Promise<Answer>,
  trpc: (visitor: Visitor, setting: S) => Promise<unknown>,
  setting?: Case<S>['setting'],
): Case<never> {
  const result: Case<S> = {
    name,
    rest: async (v, s) => await atRest(rest(v, s)),
    trpc: async (v, s) => await atTrpc(trpc(v, s)),
  }
  return (setting ? { ...result, setting } : result) as unknown as Case<never>
}

/** Converts a response of `fetch` to the answer of the other methods of a visitor. */
export const asAnswer = async (response: Response): Promise<Answer> => ({
  status: response.status,
  body: await response.json(),
  headers: response.headers,
})
