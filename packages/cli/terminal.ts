/** Where a command reads from and writes to. */
export type Terminal = {
  /** Where the login, interrupted uploads and unanswered posts are stored. */
  folder: string
  input: NodeJS.ReadableStream
  out: (text: string) => void
  err: (text: string) => void
  /** Whether the output is a terminal, so that progress is drawn. */
  isTerminal: boolean
  /** Ctrl-C. */
  signal: AbortSignal
}

export const exitCodes = { ok: 0, refused: 1, usage: 2, notLoggedIn: 3, unreachable: 4 } as const

/** Ends a command with a sentence and an exit code. */
export class CommandFailed extends Error {
  readonly exitCode: number
  readonly details: { message: string; code?: string } | undefined

  constructor(message: string, exitCode: number = exitCodes.refused, details?: { message: string; code?: string }) {
    super(message)
    this.exitCode = exitCode
    this.details = details
  }
}

export const misused = (message: string) => new CommandFailed(message, exitCodes.usage)

/** The error after Ctrl-C. */
export const stopped = (advice = '') =>
  new CommandFailed(`Stopped.${advice}`, exitCodes.refused, { message: `Stopped.${advice}`, code: 'stopped' })
