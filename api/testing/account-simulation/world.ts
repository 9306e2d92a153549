import { users } from '@flashsheet/db/schema/auth'
import { hash } from '@node-rs/argon2'
import { eq } from 'drizzle-orm'
import { sha256 } from '../../core/crypto.ts'
import type { System } from '../../core/context.ts'
import { createArtist, testPassword, type Visitor } from '../actors.ts'
import type { TestApp } from '../app.ts'
import type { Random } from '../random.ts'
import { type Cookies, emptyState, type State, type User } from './access.ts'
import type { Accounts } from './model.ts'

/** Who owns which mailboxes. Mina and Joel can sign in with Google; Eve registers addresses of the others. */
export const mailboxes = {
  mina: ['mina.hart@gmail.example', 'mina@home.example'],
  joel: ['joel.okafor@gmail.example', 'bo@home.example'],
  eve: ['eve@home.example'],
  staff: ['staff@home.example'],
} as const
export type Person = keyof typeof mailboxes
export const people = Object.keys(mailboxes) as Person[]
export const addresses = Object.values(mailboxes).flat()
export const ownerOf = (email: string): Person | undefined =>
  people.find((one) => (mailboxes[one] as readonly string[]).includes(email))

export type Browser = { person: Person; visitor: Visitor }
/** A link in a mailbox, by its key in the model. */
export type Received = { key: string; to: string; token: string; code: string | undefined }
export type Operation = {
  name: string
  browser?: Browser
  act: (m: Accounts, sent: Sent) => string
  send: (sent: Sent) => Promise<string>
}
export type Make = (run: Run, browser: Browser) => Operation | undefined | Promise<Operation | undefined>
/** A list in which these are three times as likely. */
export const often = (...all: Make[]): Make[] => [...all, ...all, ...all]
/** One sending of an operation: the cookies with it, the key of the session that it may open, and a number of its own. */
export type Sent = Cookies & { next: string; nth: number }
export type Run = {
  app: TestApp
  systems: readonly System[]
  random: Random
  browsers: readonly Browser[]
  state: State
  now: number
  count: number
  /** Secrets and ids of the product, and the keys of the model that they belong to. */
  values: Map<string, string>
  keys: Map<string, string>
  received: Received[]
  /** Users whose address staff set to a mailbox of somebody else. */
  moved: Set<string>
  /** What clients need: the verifier of a code, and the client of a token. */
  seenMails: number
  fail: (...texts: unknown[]) => never
  check: (isTrue: boolean, ...texts: unknown[]) => void
}

export const passwordsOf = (person: Person): string[] =>
  person === 'staff' ? [testPassword] : [1, 2, 3].map((nth) => `${person} password ${nth}`)
export const fresh = (run: Run, what: string): string => `${what} ${(run.count += 1)}`
export function bind(run: Run, key: string, value: string): void {
  if (run.keys.has(value)) return
  run.keys.set(value, key)
  run.values.set(key, value)
}
export const valueOf = (run: Run, key: string): string => run.values.get(key) ?? 'unknown'

const cookie = (name: string) => `flashsheet_${name}`
/** The keys of what a browser sends. */
export function cookiesOf(run: Run, { visitor }: Browser): Cookies {
  const keyOf = (name: string) => run.keys.get(visitor.cookies.get(cookie(name)) ?? '')
  return { session: keyOf('session'), registered: keyOf('registered') }
}

/** Binds the cookies that an answer sets. */
export function bindCookies(run: Run, headers: Headers, keys: { session?: string; registered?: string }): void {
  for (const name of ['session', 'registered'] as const) {
    const line = headers.getSetCookie().findLast((one) => one.startsWith(`${cookie(name)}=`))
    const value = line?.split(';')[0]?.slice(cookie(name).length + 1)
    const key = keys[name]
    if (value && key) bind(run, key, value)
  }
}

type Body = {
  code?: string
  error?: { message?: string; data?: { httpStatus?: number; refusal?: { code?: string } } }
  result?: { data?: unknown }
}
/** A status, for 403 with its code; and what the answer contains. */
export type Answer = { text: string; data: unknown }
async function read(response: Response): Promise<Answer> {
  const text = await response.text()
  let body: Body | undefined
  try {
    body = JSON.parse(text) as Body
  } catch {
    // Not JSON.
  }
  const code = body?.error?.data?.refusal?.code ?? body?.code
  const status = response.status === 403 ? `403 ${code}` : String(response.status)
  return { text: response.status >= 500 ? `${status} ${text}` : status, data: body?.result?.data ?? body }
}

type Keys = { session?: string; registered?: string }
const json = { 'content-type': 'application/json' }
/** Calls a procedure. `isLost`: the answer does not arrive, so the browser keeps its cookies. */
export async function call(
  run: Run,
  { visitor }: Browser,
  name: string,
  input: unknown,
  keys: Keys = {},
  isLost = false,
): Promise<Answer> {
  const before = new Map(visitor.cookies)
  const response = await visitor.fetch(`/trpc/${name}`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(input ?? null),
  })
  bindCookies(run, response.headers, keys)
  if (isLost) {
    visitor.cookies.clear()
    for (const [key, value] of before) visitor.cookies.set(key, value)
  }
  return await read(response)
}
export async function query(visitor: Visitor, name: string, input?: unknown): Promise<Answer> {
  const search = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`
  return await read(await visitor.fetch(`/trpc/${name}${search}`))
}
export async function rest(
  run: Run,
  { visitor }: Browser,
  method: string,
  path: string,
  body?: unknown,
  keys: Keys = {},
): Promise<Answer> {
  const init = body === undefined ? { method } : { method, headers: json, body: JSON.stringify(body) }
  const response = await visitor.fetch(path, init)
  bindCookies(run, response.headers, keys)
  return await read(response)
}

/** Gives every person two browsers, the member of staff an account, and Mina and Joel one each in half of the worlds. */
export async function openWorld(
  app: TestApp,
  systems: readonly System[],
  random: Random,
  seenMails: number,
  fail: Run['fail'],
): Promise<Run> {
  const browsers = people.flatMap((person) => [0, 1].map(() => ({ person, visitor: app.visitor() })))
  const run: Run = {
    app,
    systems,
    random,
    browsers,
    now: Date.now(),
    seenMails,
    fail,
    check: (isTrue, ...texts) => {
      if (!isTrue) fail(...texts)
    },
    state: emptyState(),
    count: 0,
    values: new Map(),
    keys: new Map(),
    received: [],
    moved: new Set(),
  }
  for (const person of people.filter((one) => one === 'staff' || (one !== 'eve' && random.oneIn(2))))
    await insertAccount(run, person)
  return run
}

async function insertAccount(run: Run, person: Person): Promise<void> {
  const { app, state, now, browsers } = run
  const isAdmin = person === 'staff'
  const name = `${person} N0`
  const { id, cookies } = await createArtist(app, { plan: null, admin: isAdmin, name })
  const [email] = mailboxes[person]
  const [password = ''] = passwordsOf(person)
  const change = {
    email,
    ...(isAdmin ? {} : { passwordHash: await hash(password, { memoryCost: 19_456, timeCost: 2 }) }),
  }
  await app.client.db.update(users).set(change).where(eq(users.id, id))
  state.users.push({
    key: `${person} 0`,
    name,
    email,
    password,
    isVerified: true,
    registration: null,
    google: [],
    isAdmin,
    isAdminSettingUsed: false,
    isActive: true,
    pendingEmail: null,
    deletionAt: null,
    isPurging: false,
  })
  bind(run, `${person} 0`, id)
  const session = cookies.get(cookie('session')) ?? ''
  browsers.find((one) => one.person === person)?.visitor.cookies.set(cookie('session'), session)
  state.sessions.push({ key: `${person}: 0`, user: `${person} 0`, expiresAt: now + 30 * 86_400_000 })
  bind(run, `${person}: 0`, session)
}

/** The id by which a session is listed. */
export const listedId = (run: Run, session: string): string => sha256(valueOf(run, session))

/** The user of a browser's session. */
export const userOf = (run: Run, browser: Browser): User | undefined => {
  const { session } = cookiesOf(run, browser)
  const user = run.state.sessions.find((one) => one.key === session)?.user
  return run.state.users.find((one) => one.key === user)
}

/** Mostly one of the things that still work. */
export function mostly<T>({ random }: Run, all: readonly T[], isGood: (one: T) => boolean): T | undefined {
  const good = all.filter(isGood)
  const list = good.length > 0 && !random.oneIn(6) ? good : all
  return list.length === 0 ? undefined : random.pick(list)
}
