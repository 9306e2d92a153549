import { AsyncLocalStorage } from 'node:async_hooks'

/** What the database's side notes of the request that runs now. */
type Request = {
  /** When a statement of it had no answer last, by `performance.now()`. */
  unansweredAt: number
  /** The topics of the live hints that it sent. */
  notifiedTopics: Set<string>
}

const requests = new AsyncLocalStorage<Request>()

export const currentRequest = (): Request | undefined => requests.getStore()

/**
 * Runs what answers one request. Once a statement of it had no answer, its others are given up at once for a moment, on
 * whatever pool.
 */
export async function asOneRequest<T>(answer: () => Promise<T>): Promise<T> {
  return await requests.run({ unansweredAt: -Infinity, notifiedTopics: new Set() }, answer)
}
