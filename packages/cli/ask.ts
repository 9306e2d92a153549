import { createApiClient } from '@flashsheet/api-client'
import type { Login } from './config-file.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandFailed, exitCodes } from './terminal.ts'

export type Api = ReturnType<typeof createApiClient>
export const apiOf = ({ url, apiKey }: Login): Api => createApiClient({ baseUrl: url, apiKey })

const mostTries = 3
const pauseMs = 1000

type Answer<T> = { data?: T; error?: unknown; response: Response }

/** The data of an answer. Throws CommandFailed for a refusal, with what the server said, or when there is no server. */
export async function ask<T>(call: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>
  try {
    answer = await call
  } catch (error) {
    const { cause, message } = error as Error
    throw new CommandFailed(
      `Flashsheet cannot be reached: ${cause instanceof Error ? cause.message : message}`,
      exitCodes.unreachable,
    )
  }
  const { data, error, response } = answer
  if (data !== undefined) return data
  throw refusalOf(response.status, error)
}

/** The same for a call that may be repeated: an answer that got lost on the way is asked for again. Throws as `ask`. */
export async function askAgain<T>(call: () => Promise<Answer<T>>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask(call())
    } catch (error) {
      const isLost = error instanceof CommandFailed && error.exitCode === exitCodes.unreachable
      if (!isLost || tries === mostTries) throw error
      await sleep(pauseMs)
    }
  }
}

/** What the server said, as an end of the command. */
export function refusalOf(status: number, said: unknown): CommandFailed {
  const body = (said ?? {}) as { message?: string; fields?: Record<string, string> }
  const fields = Object.entries(body.fields ?? {}).map(([name, words]) => `\n  ${name}: ${words}`)
  const message = `${body.message ?? `The server answered ${status}.`}${fields.join('')}`
  return new CommandFailed(message, status === 401 ? exitCodes.notLoggedIn : exitCodes.refused, said)
}
