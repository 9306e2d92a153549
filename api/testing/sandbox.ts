import type { TestApp } from './app.ts'

export type SandboxMail = {
  to: string
  from: string
  subject: string
  text: string
  html: string
  links: string[]
  at: string
}
export type SandboxPost = {
  platform: string
  pageId: string
  id: string
  title: string
  text: string
  media: { sha256: string; bytes: number; type: string; width: number; height: number; durationMs: number }[]
  permalink: string
  at: string
}

/** Calls the sandbox's control API. */
export async function control<T>(
  app: Pick<TestApp, 'sandboxUrl'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const response = await fetch(`${app.sandboxUrl}/_control${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`the control API answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}

const firstPauseMs = 25
/** Most polls are a whole request, so frequent polls of a long wait would slow down what is waited for. */
const longestPauseMs = 250

/** Polls until `poll` returns a value, and returns that. Throws an error that names `what` after `timeoutMs`. */
export async function eventually<T>(
  what: string,
  poll: () => Promise<T | undefined | null | false>,
  timeoutMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const result = await poll()
    if (result) return result
    if (Date.now() > deadline) throw new Error(`timed out waiting for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

/** The newest mail to an address, once it has arrived. */
export async function mailTo(app: Pick<TestApp, 'sandboxUrl'>, to: string, subject?: RegExp): Promise<SandboxMail> {
  return await eventually(`a mail to ${to}`, async () => {
    const mails = await control<SandboxMail[]>(app, 'GET', `/mail?to=${encodeURIComponent(to)}`)
    return mails.find((mail) => subject === undefined || subject.test(mail.subject))
  })
}
