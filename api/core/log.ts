import { pino, type DestinationStream, type Logger } from 'pino'
import { describeError } from './describe-error.ts'

export type { Logger }

/**
 * The logger of the process: one JSON line for each entry, by default to standard error, since standard output is for the
 * ready line. Errors are serialized by `describeError`.
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
