import { createApiClient } from '@flashsheet/api-client'
import type { Login } from './config-file.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandFailed, exitCodes, stopped, type Terminal } from './terminal.ts'

export type Api = ReturnType<typeof createApiClient>
/** Ctrl-C aborts the calls of this client. */
export const apiOf = ({ signal }: Pick<Terminal, 'signal'>, { url, apiKey }: Login): Api =>
  createApiClient({ baseUrl: url, apiKey, signal })

const maxAttempts = 3
const pauseMs = 1000

type Answer<T> = { data?: T; error?: unknown; response: Response }

/** The data of an answer. Throws CommandFailed with the server's message for a refusal, when no server answers, or after Ctrl-C. */
export async function unwrapAnswer<T>(call: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>
  try {
    answer = await call
  } catch (error) {
    const { cause, message, name } = error as Error
    if (name === 'AbortError') throw stopped()
    throw new CommandFailed(
      `Flashsheet cannot be reached: ${cause instanceof Error ? cause.message : message}`,
      exitCodes.unreachable,
    )
  }
  const { data, error, response } = answer
  if (data !== undefined) return data
  throw refusalOf(response.status, error)
}

/** Repeats an idempotent call when its answer is lost or the server fails. Throws like `unwrapAnswer`. */
export async function callWithRetries<T>(call: () => Promise<Answer<T>>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await unwrapAnswer(call())
    } catch (error) {
      if (!isUnanswered(error) || attempt === maxAttempts) throw error
      await sleep(pauseMs)
    }
  }
}

/** Whether the outcome of the call is unknown: there was no answer, or a 5xx. */
export const isUnanswered = (error: unknown): error is CommandFailed =>
  error instanceof CommandFailed && error.exitCode === exitCodes.unreachable

/** The error that ends a command after a refusal of the server. */
export function refusalOf(status: number, answer: unknown): CommandFailed {
  const body = (typeof answer === 'object' ? (answer ?? {}) : {}) as {
    message?: string
    code?: string
    fields?: Record<string, string>
  }
  const fields = Object.entries(body.fields ?? {}).map(([name, text]) => `\n  ${name}: ${text}`)
  // An empty body has no message either.
  const text = body.message === undefined || body.message === '' ? `The server answered ${status}.` : body.message
  return new CommandFailed(`${text}${fields.join('')}`, exitCodeOf(status), { ...body, message: text })
}

function exitCodeOf(status: number): number {
  if (status === 401) return exitCodes.notLoggedIn
  return status < 500 ? exitCodes.refused : exitCodes.unreachable
}
