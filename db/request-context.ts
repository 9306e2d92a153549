import { AsyncLocalStorage } from 'node:async_hooks'

type Request = {
  /** When a statement of this request last timed out, by `performance.now()`. */
  unansweredAt: number
  /** The topics of the live hints that this request sent. */
  notifiedTopics: Set<string>
}

const requests = new AsyncLocalStorage<Request>()

export const currentRequest = (): Request | undefined => requests.getStore()

/**
 * Runs the handler of one request. After one of its statements timed out, its other statements fail at once for two
 * seconds, on every pool (`adaptive-timeouts.ts`).
 */
export async function runInRequestContext<T>(handle: () => Promise<T>): Promise<T> {
  return await requests.run({ unansweredAt: -Infinity, notifiedTopics: new Set() }, handle)
}
