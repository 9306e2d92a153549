import { errorLine } from './describe-error.ts'
import type { AppError } from './errors.ts'
import type { Logger } from './log.ts'

/** Logs an unexpected error in full and an unavailable service in one line; other refusals are not logged. `what`: "a request". */
export function logFailure(
  log: Logger,
  what: string,
  { kind }: AppError,
  fields: { err: unknown; requestId: string | undefined } & Record<string, unknown>,
): void {
  const { err, ...about } = fields
  if (kind === 'internal') log.error(fields, `${what} failed`)
  if (kind === 'unavailable') log.warn({ reason: errorLine(err), ...about }, `${what} could not be answered now`)
}
