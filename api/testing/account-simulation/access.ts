export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

/** Everything has a `key` of the simulation; secrets and ids of the product are bound to these keys elsewhere. */
export type User = {
  key: string
  name: string
  email: string
  password: string | null
  /** Rises with each new password. */
  passwordNo?: number
  isVerified: boolean
  /** Of a registration that is not verified: the key of the browser's secret, and when. */
  registration: { secret: string; at: number } | null
  google: string[]
  isAdmin: boolean
  isAdminSettingUsed: boolean
  isActive: boolean
  pendingEmail: string | null
  deletionAt: number | null
  isPurging: boolean
}
export type Purpose = 'verify_email' | 'reset_password' | 'change_email'
export type Session = { key: string; user: string; expiresAt: number }
export type Link = { key: string; user: string; purpose: Purpose; email: string; expiresAt: number; isUsed: boolean }
export type Request = { key: string; purpose: Purpose | 'register'; email: string; user: string | null; at: number }
/** A mail that is not sent yet; deleted with its user. */
export type Mail = { to: string; subject: string; user: string; at: number; link?: string }
export type ApiKey = { key: string; user: string; expiresAt: number | null }
export type Code = {
  key: string
  user: string
  client: string
  expiresAt: number
  isUsed: boolean
  grant: string | null
}
export type Grant = { key: string; user: string; client: string; at: number }
export type Token = { key: string; grant: string; kind: 'access' | 'refresh'; expiresAt: number; usedAt: number | null }
export type State = {
  users: User[]
  sessions: Session[]
  links: Link[]
  requests: Request[]
  mails: Mail[]
  keys: ApiKey[]
  clients: { key: string; at: number }[]
  codes: Code[]
  grants: Grant[]
  tokens: Token[]
  /** Sign-ins at Google that were used. */
  spent: string[]
  serial: number
}
export const emptyState = (): State => ({
  users: [],
  sessions: [],
  links: [],
  requests: [],
  mails: [],
  keys: [],
  clients: [],
  codes: [],
  grants: [],
  tokens: [],
  spent: [],
  serial: 0,
})

const sessionDays = 30
export type Level = 'signedIn' | 'verified' | 'admin'
/** What a browser sends with each request: keys of its session and of the secret of its last registration. */
export type Cookies = { session: string | undefined; registered: string | undefined }
export const remove = <T>(list: T[], isGone: (one: T) => boolean) => {
  list.splice(0, list.length, ...list.filter((one) => !isGone(one)))
}

/** What the product stores at one moment, and who gets in. */
export class Access {
  readonly s: State
  readonly now: number
  readonly before: State

  constructor(s: State, now: number, before = s) {
    this.s = s
    this.now = now
    this.before = before
  }

  user = (key: string | null): User | undefined => this.s.users.find((one) => one.key === key)
  usersOf = (email: string): User[] =>
    this.s.users
      .filter((one) => one.email === email)
      .toSorted(
        (a, b) =>
          Number(b.isVerified) - Number(a.isVerified) ||
          (b.registration?.at ?? Infinity) - (a.registration?.at ?? Infinity) ||
          this.s.users.indexOf(b) - this.s.users.indexOf(a),
      )
  isOfAnother = (user: User, email: string) =>
    this.s.users.some((one) => one.email === email && one !== user && !one.registration)
  mail = (user: User, subject: string, to = user.email, link?: string) =>
    this.s.mails.push({ to, subject, user: user.key, at: this.now, ...(link === undefined ? {} : { link }) })

  sessionOf(key: string | undefined, state = this.s): Session | undefined {
    return state.sessions.find((one) => one.key === key && one.expiresAt > this.now)
  }
  /** In the second half of its life a session is extended by use. */
  touch(key: string | undefined): void {
    const session = this.sessionOf(key)
    if (session && session.expiresAt - this.now <= (sessionDays / 2) * day)
      session.expiresAt = this.now + sessionDays * day
  }
  levelOf(user: User, level: Level): string {
    if (!user.isActive) return '403 deactivated'
    if (level === 'signedIn') return '200'
    if (!user.isVerified) return '403 unverified'
    if (user.deletionAt !== null) return '403 leaving'
    return level === 'admin' && !user.isAdmin ? '403 admin' : '200'
  }
  /** `isStrict`: the session must still exist when the request takes effect, as it opens another one. */
  guard(key: string | undefined, level: Level, isStrict = false): User | string {
    const state = isStrict ? this.s : this.before
    const session = this.sessionOf(key, state)
    const user = state.users.find((one) => one.key === session?.user)
    if (!user) return '401'
    const answer = this.levelOf(user, level)
    return answer === '200' ? (this.user(user.key) ?? '401') : answer
  }

  setPassword = (user: User, password: string | null) =>
    Object.assign(user, { password, passwordNo: (user.passwordNo ?? 0) + 1 })
  endSessions = (user: User) => remove(this.s.sessions, (one) => one.user === user.key)
  begin(user: User, session: string, old: string | undefined): void {
    remove(this.s.sessions, (one) => one.key === old)
    this.s.sessions.push({ key: session, user: user.key, expiresAt: this.now + sessionDays * day })
  }
  endLinks = (user: User, ...purposes: Purpose[]) =>
    remove(this.s.links, (one) => one.user === user.key && purposes.includes(one.purpose))
  endGrants(isGone: (one: Grant) => boolean): void {
    const gone = new Set(this.s.grants.filter(isGone).map((one) => one.key))
    remove(this.s.grants, isGone)
    remove(this.s.tokens, (one) => gone.has(one.grant))
    remove(this.s.codes, (one) => one.grant !== null && gone.has(one.grant))
  }
  drop(user: User): void {
    this.endGrants((one) => one.user === user.key)
    for (const list of [this.s.sessions, this.s.links, this.s.keys, this.s.codes, this.s.mails])
      remove(list as { user: string }[], (one) => one.user === user.key)
    remove(this.s.users, (one) => one === user)
  }
  dropRegistrations = (email: string, except: User) => {
    for (const one of this.usersOf(email)) if (one !== except && one.registration) this.drop(one)
  }
}
