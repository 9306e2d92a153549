import { pino, type DestinationStream, type Logger } from 'pino'
import { describeError } from './describe-error.ts'

export type { Logger }

/**
 * The process's logger: one JSON line an entry on standard error, so that standard output keeps the ready line; `to` takes
 * them elsewhere. Of an error it writes what `describeError` leaves.
 */
export function createLogger(level: string, to: DestinationStream = pino.destination({ dest: 2, sync: true })): Logger {
  return pino(
    {
      level,
      serializers: { err: describeError },
      redact: {
        paths: ['*.password', '*.token', '*.accessToken', '*.refreshToken', 'headers.cookie', 'headers.authorization'],
        censor: '[cut]',
      },
    },
    to,
  )
}
