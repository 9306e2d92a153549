import { pino, type Logger } from 'pino'

export type { Logger }

/** The process's logger: one JSON line an entry on standard error, so that standard output keeps the ready line. */
export function createLogger(level: string): Logger {
  return pino(
    { level, redact: { paths: ['*.password', '*.token', '*.accessToken', '*.refreshToken', 'headers.cookie', 'headers.authorization'], censor: '[cut]' } },
    pino.destination({ dest: 2, sync: true }),
  )
}
