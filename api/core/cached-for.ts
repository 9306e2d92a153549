import type { System } from './context.ts'

/**
 * What `load` answered for the last `ms`: for figures that cost much and are watched by many. Whoever asks while it is being asked for
 * gets the same answer; a failure is not kept.
 */
export function cachedFor<T>(
  ms: number,
  load: (system: Pick<System, 'db' | 'now'>) => Promise<T>,
): (system: Pick<System, 'db' | 'now'>) => Promise<T> {
  const kept = new WeakMap<System['db'], { until: number; answer: Promise<T> }>()
  return async (system) => {
    const known = kept.get(system.db)
    if (known && performance.now() < known.until) return await known.answer
    const answer = load(system)
    kept.set(system.db, { until: performance.now() + ms, answer })
    answer.catch(() => kept.delete(system.db))
    return await answer
  }
}
