import { type PlanId, plans, type SubscriptionStatus } from '@flashsheet/contracts/plans'
import { registrations, users } from '@flashsheet/db/schema/auth'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import { createTRPCClient, httpLink } from '@trpc/client'
import { hash } from '@node-rs/argon2'
import { randomBytes } from 'node:crypto'
import { newId } from '../core/ids.ts'
import { createSessions } from '../core/sessions/session.ts'
import type { AppRouter } from '../router.ts'
import type { TestApp } from './app.ts'
import { checkAnswer } from './check-answer.ts'

export type Answer<T = unknown> = { status: number; body: T; headers: Headers }

/** A client with a browser's cookie jar, for REST and tRPC. */
export type Visitor = {
  get: <T = unknown>(path: string, headers?: Record<string, string>) => Promise<Answer<T>>
  post: <T = unknown>(path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer<T>>
  put: <T = unknown>(path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer<T>>
  delete: <T = unknown>(path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer<T>>
  /** Any request with the cookies; does not follow redirects. */
  fetch: (path: string, init?: RequestInit) => Promise<Response>
  trpc: ReturnType<typeof createTRPCClient<AppRouter>>
  cookies: Map<string, string>
}

/** By an app's address: a function that waits until the app has processed the NOTIFYs of the test's own writes. */
export const waitForHintsByUrl = new Map<string, () => Promise<void>>()

/** `fixedHeaders` are sent with every request, e.g. an API key. */
export function createVisitor(url: string, fixedHeaders: Record<string, string> = {}): Visitor {
  const cookies = new Map<string, string>()
  const send = async (target: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers({ ...fixedHeaders, ...Object.fromEntries(new Headers(init.headers)) })
    await waitForHintsByUrl.get(url)?.()
    if (cookies.size > 0) headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await fetch(new URL(target, url), { redirect: 'manual', ...init, headers })
    await checkAnswer(init.method ?? 'GET', new URL(target, url), response)
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      const value = pair.slice(at + 1)
      if (value === '' || /max-age=0/i.test(line)) cookies.delete(pair.slice(0, at))
      else cookies.set(pair.slice(0, at), value)
    }
    return response
  }
  const json = async <T>(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> => {
    const response = await send(path, {
      method,
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    let parsed: unknown = text
    try {
      parsed = JSON.parse(text)
    } catch {
      // Not JSON: the body is the text.
    }
    return { status: response.status, body: parsed as T, headers: response.headers }
  }
  return {
    get: async (path, headers) => await json('GET', path, undefined, headers),
    post: async (path, body, headers) => await json('POST', path, body ?? {}, headers),
    put: async (path, body, headers) => await json('PUT', path, body ?? {}, headers),
    delete: async (path, body, headers) => await json('DELETE', path, body, headers),
    fetch: send,
    trpc: createTRPCClient<AppRouter>({
      links: [
        httpLink({ url: `${url}/trpc`, fetch: async (input, init) => await send(String(input), init as RequestInit) }),
      ],
    }),
    cookies,
  }
}

export type Artist = Visitor & { id: string; email: string; password: string; name: string }

export const testPassword = 'a good long password'

/** One hash for every artist: hashing is slow on purpose, and tests create many. */
const testPasswordHash = hash(testPassword, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })

/**
 * An artist with a session, inserted into the database. By default verified and subscribed to Complete Shading; `plan:
 * null` never subscribed.
 */
export async function createArtist(
  app: Pick<TestApp, 'client' | 'url'> & {
    clock: Pick<TestApp['clock'], 'now'>
    running: Pick<TestApp['running'], 'config'>
  },
  options: {
    name?: string
    plan?: PlanId | null
    status?: SubscriptionStatus
    verified?: boolean
    admin?: boolean
    active?: boolean
    /** Has just requested the deletion of the account. */
    requestedDeletion?: boolean
    timeZone?: string
  } = {},
): Promise<Artist> {
  const id = newId()
  const now = app.clock.now()
  const email = `artist-${randomBytes(5).toString('hex')}@studio.example`
  const name = options.name ?? 'Ada Inkwell'
  await app.client.db.insert(users).values({
    id,
    name,
    email,
    passwordHash: await testPasswordHash,
    emailVerifiedAt: options.verified === false ? null : now,
    isAdmin: options.admin ?? false,
    isActive: options.active ?? true,
    deletionAskedAt: options.requestedDeletion ? now : null,
    timeZone: options.timeZone ?? 'America/New_York',
    createdAt: now,
    updatedAt: now,
  })
  if (options.verified === false)
    await app.client.db.insert(registrations).values({ userId: id, browser: '', userAgent: '', createdAt: now })
  const plan = options.plan === undefined ? 'complete-shading' : options.plan
  if (plan) {
    const status = options.status ?? 'active'
    await app.client.db.insert(subscriptions).values({
      id: newId(),
      userId: id,
      stripeSubscriptionId: `sub_${randomBytes(8).toString('hex')}`,
      stripeCustomerId: `cus_${randomBytes(8).toString('hex')}`,
      plan,
      status,
      currentPeriodStart: now,
      currentPeriodEnd: new Date(now.getTime() + 30 * 86_400_000),
      mrr: status === 'active' || status === 'past_due' ? plans[plan].price : 0,
      createdAt: now,
      updatedAt: now,
    })
  }
  const visitor = createVisitor(app.url)
  const { cookie } = await createSessions(app.client.db, app.running.config, app.clock.now).begin(id)
  const [pair = ''] = cookie.split(';')
  visitor.cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
  return { ...visitor, id, email, password: testPassword, name }
}
