import { setTimeout as sleep } from 'node:timers/promises'

/** The result of `work`, or `late` when it takes longer than `ms`. Does not stop `work`. */
export async function withTimeout<T, const L>(work: Promise<T>, ms: number, late: L): Promise<T | L> {
  const over = new AbortController()
  return await Promise.race([work, sleep(ms, late, { signal: over.signal })]).finally(() => over.abort())
}
