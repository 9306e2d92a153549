import type { Logger } from './log.ts'

/**
 * Runs `work` for each item in turn. An item that fails is logged, with the fields of `about`, and does not stop the
 * others. Returns the errors; the caller throws them (`throwFailures`) at its end, so that the job is retried.
 */
export async function forEachIsolated<T>(
  log: Logger,
  items: Iterable<T>,
  { message, about }: { message: string; about: (item: T) => Record<string, string> },
  work: (item: T) => Promise<void>,
): Promise<unknown[]> {
  const failures: unknown[] = []
  for (const item of items) {
    try {
      await work(item)
    } catch (error) {
      log.error({ err: error, ...about(item) }, message)
      failures.push(error)
    }
  }
  return failures
}

export function throwFailures(failures: readonly unknown[], message: string): void {
  if (failures.length > 0) throw new AggregateError(failures, `${message} (${failures.length})`)
}
