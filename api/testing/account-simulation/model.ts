import { type Cookies, day, hour, type Link, type Purpose, remove, type Request, type User } from './access.ts'
import { Programs } from './program-rules.ts'

/** The rules of docs/product/accounts.md, assistants.md, staff.md and privacy.md once more, as simply as possible. */

export const adminEmail = 'bo@home.example'
const hours = { verify_email: 24, change_email: 24, reset_password: 1 } as const
const nameFrom = (email: string) => (email.split('@')[0] ?? '').replaceAll('.', ' ')

/**
 * The product at one moment. Each method is a request or a job and returns its answer: a status, for 403 with the code.
 * `before`: the state in which a concurrent request may have been authenticated already.
 */
export class Accounts extends Programs {
  register(user: Pick<User, 'key' | 'name' | 'email' | 'password'>, secret: string): string {
    this.s.users.push({
      ...user,
      isVerified: false,
      registration: { secret, at: this.now },
      google: [],
      isAdmin: false,
      isAdminSettingUsed: false,
      isActive: true,
      pendingEmail: null,
      deletionAt: null,
      isPurging: false,
    })
    // Of several at the same moment each may not see the others, so that one more stays until the next.
    const isSeen = ({ key }: User) => key === user.key || this.before.users.some((one) => one.key === key)
    const all = this.usersOf(user.email).filter((one) => one.registration && isSeen(one))
    for (const one of all.slice(5)) this.drop(one)
    return this.request('register', user.email, user.key)
  }
  request(purpose: Request['purpose'], email: string, user: string | null): string {
    this.s.requests.push({ key: `${purpose} ${(this.s.serial += 1)}`, purpose, email, user, at: this.now })
    return purpose === 'register' ? '201' : '200'
  }
  resendVerification(email: string, session: string | undefined): string {
    const user = this.user(this.sessionOf(session, this.before)?.user ?? null)
    return this.request('verify_email', email, user?.email === email ? user.key : null)
  }

  /** The job that mails a requested link. */
  mailLink({ purpose, email, user }: Request, link: string): void {
    const requester = this.user(user)
    const [first] = this.usersOf(email)
    const create = (one: User, kind: Purpose, subject: string) => {
      const expiresAt = this.now + hours[kind] * hour
      this.s.links.push({ key: link, user: one.key, purpose: kind, email, expiresAt, isUsed: false })
      this.mail(one, subject, email, link)
    }
    if (purpose === 'change_email') {
      if (requester?.pendingEmail !== email) return
      if (first?.isVerified) this.mail(first, 'This address already has a Flashsheet account')
      else create(requester, 'change_email', 'Confirm your new email address')
    } else if (purpose === 'reset_password') {
      if (first) create(first, 'reset_password', 'Reset your password')
    } else if (first && !first.registration) {
      if (purpose === 'register') this.mail(first, 'You already have a Flashsheet account')
      else if (!first.isVerified) create(first, 'verify_email', 'Verify your email address')
    } else {
      const one = user === null ? first : requester?.email === email ? requester : undefined
      if (one) create(one, 'verify_email', 'Verify your email address')
    }
  }

  findLink = (key: string, ...purposes: Purpose[]): Link | undefined =>
    this.s.links.find(
      (one) => one.key === key && purposes.includes(one.purpose) && !one.isUsed && one.expiresAt > this.now,
    )
  isRequester = (user: User, { session, registered }: Cookies): boolean =>
    this.sessionOf(session)?.user === user.key || (registered !== undefined && user.registration?.secret === registered)

  /** A link used by its token alone, as programs do. `entered`: the person typed a password, their own or a new one. */
  useLink(key: string, cookies: Cookies, session: string, entered?: { name?: string; password: string }): string {
    const link = this.findLink(key, 'verify_email', 'change_email')
    const user = link && this.user(link.user)
    if (!user) return '400'
    if (!user.isActive) return '403 deactivated'
    const isOwnSession = this.sessionOf(cookies.session)?.user === user.key
    if (link.purpose === 'change_email') {
      if (user.pendingEmail !== link.email || this.isOfAnother(user, link.email)) return '400'
      this.mail(user, 'Your email address was changed')
      Object.assign(user, { email: link.email, isVerified: true, registration: null, pendingEmail: null, google: [] })
      link.isUsed = true
      this.dropRegistrations(link.email, user)
      this.endLinks(user, 'verify_email', 'reset_password')
      this.endSessions(user)
      if (isOwnSession) this.begin(user, session, undefined)
      return '200'
    }
    if (user.email !== link.email || user.isVerified || this.isOfAnother(user, user.email)) return '400'
    const wasRegistration = user.registration !== null
    Object.assign(user, { isVerified: true, registration: null })
    this.dropRegistrations(user.email, user)
    this.endLinks(user, 'verify_email')
    if (wasRegistration) {
      this.endLinks(user, 'reset_password')
      if (entered) {
        if (entered.name) Object.assign(user, { name: entered.name })
        if (entered.name) this.setPassword(user, entered.password)
        this.grantBySetting(user)
      }
      this.endSessions(user)
      this.begin(user, session, cookies.session)
    } else if (isOwnSession) this.begin(user, session, cookies.session)
    return '200'
  }
  /** The page of a link: another browser than that of the registration needs its password, or replaces it. */
  confirmLink(
    key: string,
    cookies: Cookies,
    session: string,
    typed: { name?: string; newPassword?: string; password?: string },
  ): string {
    const user = this.user(this.findLink(key, 'verify_email', 'change_email')?.user ?? null)
    if (!user?.registration) return this.useLink(key, cookies, session)
    const { name, newPassword, password } = typed
    if (newPassword !== undefined)
      return this.useLink(key, cookies, session, { ...(name ? { name } : {}), password: newPassword })
    if (password === undefined) return this.isRequester(user, cookies) ? this.useLink(key, cookies, session) : '400'
    return user.password === password ? this.useLink(key, cookies, session, { password }) : '400'
  }
  /** The code of a mail, which only counts in the browser of the registration and if it is of the newest mail. */
  confirmCode(email: string, key: string, cookies: Cookies, session: string): string {
    const user = this.usersOf(email).find((one) => one.registration && this.isRequester(one, cookies))
    const newest = this.s.links
      .filter((one) => one.user === user?.key && this.findLink(one.key, 'verify_email'))
      .toSorted((a, b) => b.expiresAt - a.expiresAt)[0]
    return newest?.key === key ? this.useLink(key, cookies, session) : '400'
  }
  resetPassword(key: string, password: string, { registered }: Cookies): string {
    const link = this.findLink(key, 'reset_password')
    const user = link && this.user(link.user)
    if (!user || user.email !== link.email) return '400'
    if (!user.isActive) return '403 deactivated'
    if (!user.isVerified && this.isOfAnother(user, user.email)) return '400'
    if (user.registration && user.registration.secret !== registered) user.name = nameFrom(user.email)
    Object.assign(user, { isVerified: true, registration: null, pendingEmail: null, google: [] })
    this.setPassword(user, password)
    this.dropRegistrations(user.email, user)
    this.endLinks(user, 'verify_email', 'reset_password', 'change_email')
    this.endSessions(user)
    this.mail(user, 'Your password was changed')
    return '200'
  }

  grantBySetting(user: User): void {
    if (user.email !== adminEmail || !user.isVerified || user.isAdmin || user.isAdminSettingUsed) return
    if (user.deletionAt !== null) return
    Object.assign(user, { isAdmin: true, isAdminSettingUsed: true })
    this.endSessions(user)
  }
  logIn(email: string, password: string, old: string | undefined, session: string): string {
    const found = new Accounts(this.before, this.now).usersOf(email).find((one) => one.password === password)
    const user = this.user(found?.key ?? null)
    // The password or address changed while it was being checked.
    if (!found || user?.passwordNo !== found.passwordNo || user?.email !== found.email) return '401'
    if (!user.isActive) return '403 deactivated'
    this.grantBySetting(user)
    this.begin(user, session, old)
    return '200'
  }
  logOut(session: string | undefined): string {
    const user = this.guard(session, 'signedIn')
    if (typeof user === 'string') return user
    remove(this.s.sessions, (one) => one.key === session)
    return '200'
  }
  google(subject: string, email: string, name: string, old: string | undefined, session: string, key: string): string {
    const linked = this.s.users.find((one) => one.google.includes(subject))
    const account = linked ?? this.usersOf(email).find((one) => !one.registration)
    if (account && !account.isActive) return 'refused'
    if (!account) {
      this.register({ key, name, email, password: null }, '')
      this.s.requests.pop()
    }
    const user = account ?? this.user(key)
    if (!user) return 'refused'
    if (!linked) {
      if (account?.isVerified) this.mail(user, 'Google was linked to your account')
      else {
        this.endLinks(user, 'verify_email', 'reset_password', 'change_email')
        this.endSessions(user)
        Object.assign(user, { isVerified: true, registration: null, pendingEmail: null, google: [] })
        this.setPassword(user, null)
        this.dropRegistrations(email, user)
      }
      user.google.push(subject)
    }
    if (user.email === email) this.grantBySetting(user)
    this.begin(user, session, old)
    return 'in'
  }
  removeGoogle(old: string | undefined, password: string, session: string): string {
    const user = this.guard(old, 'verified')
    if (typeof user === 'string') return user
    if (user.password === null) return '409'
    if (user.password !== password) return '400'
    if (user.google.length === 0) return '409'
    if (!this.sessionOf(old)) return '401'
    user.google = []
    this.mail(user, 'Google was removed from your account')
    this.endSessions(user)
    this.begin(user, session, old)
    return '200'
  }

  updateProfile(
    old: string | undefined,
    change: { name?: string; email?: string; password?: string; currentPassword?: string },
    session: string,
  ): string {
    const changesEmail = (user: User) => change.email !== undefined && change.email !== user.email
    const first = this.guard(old, 'verified')
    if (typeof first === 'string') return first
    if (!changesEmail(first) && change.password === undefined) {
      if (change.name) first.name = change.name
      return '200'
    }
    const user = this.guard(old, 'verified', true)
    if (typeof user === 'string') return user
    if (user.password === null || user.password !== change.currentPassword) return '400'
    if (change.name) user.name = change.name
    if (changesEmail(user)) {
      user.pendingEmail = change.email!
      this.mail(user, 'Your email address is about to change')
      this.request('change_email', change.email!, user.key)
    }
    if (change.password !== undefined) {
      this.setPassword(user, change.password)
      this.endLinks(user, 'reset_password')
      this.mail(user, 'Your password was changed')
    }
    this.endSessions(user)
    this.begin(user, session, old)
    return '200'
  }
  resendChange(session: string | undefined): string {
    const user = this.guard(session, 'verified')
    if (typeof user === 'string') return user
    return user.pendingEmail === null ? '404' : this.request('change_email', user.pendingEmail, user.key)
  }
  cancelChange(session: string | undefined): string {
    const user = this.guard(session, 'verified')
    if (typeof user === 'string') return user
    user.pendingEmail = null
    this.endLinks(user, 'change_email')
    return '200'
  }
  endSession(session: string | undefined, other: string): string {
    const user = this.guard(session, 'verified')
    if (typeof user === 'string') return user
    const found = this.s.sessions.find((one) => one.key === other && one.user === user.key)
    remove(this.s.sessions, (one) => one === found)
    return found ? '200' : '404'
  }
  endOthers(session: string | undefined): string {
    const user = this.guard(session, 'verified')
    if (typeof user === 'string') return user
    remove(this.s.sessions, (one) => one.user === user.key && one.key !== session)
    return '200'
  }

  admins = () => this.s.users.filter((one) => one.isAdmin && this.levelOf(one, 'admin') === '200')
  requestDeletion(session: string | undefined, name: string): string {
    const user = this.guard(session, 'verified')
    if (typeof user === 'string') return user
    if (user.deletionAt !== null) return '401'
    if (name.toLowerCase() !== user.name.toLowerCase()) return '400'
    if (user.isAdmin && this.admins().length === 1) return '409'
    user.deletionAt = this.now
    this.endSessions(user)
    this.mail(user, 'Your account will be deleted')
    return '200'
  }
  keepAccount(old: string | undefined, session: string): string {
    const user = this.guard(old, 'signedIn')
    if (typeof user === 'string') return user
    if (user.deletionAt === null || user.isPurging) return '409'
    if (!this.sessionOf(old)) return '401'
    user.deletionAt = null
    this.mail(user, 'Your account will not be deleted')
    this.begin(user, session, old)
    return '200'
  }
  /** The hourly job: closes accounts whose grace period is over. */
  closeExpired(): void {
    for (const user of this.s.users)
      if (user.deletionAt !== null && user.deletionAt <= this.now - 30 * day && !user.isPurging) this.closeNow(user)
  }
  /** Closes an account at once. */
  close(key: string): void {
    const user = this.user(key)
    if (user && !user.isPurging) this.closeNow(user)
  }
  closeNow(user: User): void {
    Object.assign(user, { deletionAt: user.deletionAt ?? this.now, isPurging: true, isActive: false })
    this.endSessions(user)
  }
  /** The job that deletes a closed account. Its last mail is sent at once. Returns the address. */
  purge(user: User): string {
    const emails = [user.email, user.pendingEmail]
    remove(this.s.requests, (one) => one.user === user.key || emails.includes(one.email))
    this.drop(user)
    return user.email
  }
  /** The other hourly and nightly jobs. */
  cleanUp(): void {
    const { s, now } = this
    for (const user of s.users.filter((one) => one.registration && one.registration.at < now - 30 * day))
      this.drop(user)
    remove(s.links, (one) => one.expiresAt < now - day)
    remove(s.requests, (one) => one.at < now - day)
    remove(s.mails, (one) => one.at < now - 30 * day)
    remove(s.sessions, (one) => one.expiresAt <= now)
    remove(s.tokens, (one) => one.expiresAt < now)
    remove(s.codes, (one) => one.expiresAt < now - day)
    this.endGrants((one) => one.at < now - day && !s.tokens.some(({ grant }) => grant === one.key))
    remove(s.clients, (one) => one.at < now - day && !s.grants.some(({ client }) => client === one.key))
  }

  /** A change by staff; `change.toggle` switches active and inactive. */
  changeUser(
    session: string | undefined,
    key: string,
    change: { name?: string; email?: string; isActive?: boolean; isAdmin?: boolean; toggle?: true },
  ): string {
    const staff = this.guard(session, 'admin')
    if (typeof staff === 'string') return staff
    if (this.levelOf(staff, 'admin') !== '200') return '403 admin'
    const user = this.user(key)
    if (staff === user && (change.toggle || change.isActive === false || change.isAdmin === false)) return '409'
    if (staff === user && change.email !== undefined && change.email !== user.email) return '409'
    if (!user || user.isPurging) return '404'
    const { name, email, isActive = change.toggle ? !user.isActive : undefined, isAdmin } = change
    const isNewEmail = email !== undefined && email !== user.email
    if (isNewEmail && user.isAdmin) return '409'
    if (isAdmin === true && !user.isAdmin && (isNewEmail || !user.isVerified)) return '409'
    if (isNewEmail && this.isOfAnother(user, email)) return '409'
    const before = { ...user }
    if (name !== undefined) user.name = name
    if (isNewEmail) {
      this.mail(user, 'Your email address was changed')
      Object.assign(user, { email, isVerified: false, pendingEmail: null, google: [] })
      this.endLinks(user, 'verify_email', 'reset_password', 'change_email')
      this.request('verify_email', email, user.key)
    }
    if (isActive !== undefined && isActive !== user.isActive) {
      // Notified at the address from before the change, or after it.
      this.mail(
        isActive ? user : { ...user, email: before.email },
        isActive ? 'Your account is active again' : 'Your account has been deactivated',
      )
      user.isActive = isActive
    }
    if (isAdmin !== undefined && isAdmin !== user.isAdmin)
      Object.assign(user, { isAdmin, ...(isAdmin ? {} : { isAdminSettingUsed: true }) })
    if (isNewEmail || (before.isActive && !user.isActive) || before.isAdmin !== user.isAdmin) this.endSessions(user)
    return '200'
  }
  deleteUser(session: string | undefined, key: string): string {
    const staff = this.guard(session, 'admin')
    if (typeof staff === 'string') return staff
    if (this.levelOf(staff, 'admin') !== '200') return '403 admin'
    const user = this.user(key)
    if (staff === user) return '409'
    if (!user || user.isPurging) return '404'
    this.closeNow(user)
    return '200'
  }
}
