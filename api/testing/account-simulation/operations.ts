import { minute, type User } from './access.ts'
import { Accounts } from './model.ts'
import { exchange, programs, refresh } from './programs.ts'
import {
  addresses,
  type Browser,
  bindCookies,
  call,
  listedId,
  mailboxes,
  type Make,
  mostly,
  often,
  type Operation,
  ownerOf,
  passwordsOf,
  type Person,
  type Received,
  rest,
  type Run,
  type Sent,
  userOf,
  valueOf,
} from './world.ts'

const googleOf = {
  mina: { id: '108204519377260481835', name: 'Mina Hart', email: mailboxes.mina[0] },
  joel: { id: '112984407716652093318', name: 'Joel Okafor', email: mailboxes.joel[0] },
}

/** Something that one of the people does in one of their browsers. */
export async function randomOperation(run: Run): Promise<Operation> {
  const { pick, oneIn } = run.random
  for (;;) {
    const browser = pick(run.browsers.filter(({ person }) => person !== 'staff' || oneIn(2)))
    const user = userOf(run, browser)
    const likely = oneIn(3) ? programs : browser.person === 'staff' ? byStaff : oneIn(3) ? settings : inside
    const urgent = mostUrgent(run, browser)
    const make = urgent && oneIn(2) ? urgent : pick(user || oneIn(10) ? likely : outside)
    const made = await make(run, browser)
    if (made) return { ...made, browser, name: `${browser.person}${run.browsers.indexOf(browser) % 2} ${made.name}` }
  }
}
/** What works for a short time only. */
function mostUrgent(run: Run, { person, visitor }: Browser): Make | undefined {
  const m = new Accounts(run.state, run.now)
  if (run.state.codes.some((one) => !one.isUsed && one.expiresAt > run.now)) return exchange
  if (run.state.tokens.some((one) => one.kind === 'refresh' && one.usedAt === null) && run.random.oneIn(3))
    return refresh
  const user = userOf(run, { person, visitor })
  if (user && user.deletionAt !== null && run.random.oneIn(2)) return keep
  const link = run.received.findLast(
    (one) => ownerOf(one.to) === person && m.findLink(one.key, 'verify_email', 'reset_password', 'change_email'),
  )
  return link && (link.key.includes('reset') ? reset : useLink)
}
/** The owner of an account forgets the password: whatever happened before, this leads back in. */
export function recoverySteps(run: Run, { email, name }: User): (() => Operation)[] {
  const browser = run.browsers.find((one) => one.person === ownerOf(email))!
  const input = { email, password: passwordsOf(browser.person)[0]! }
  const link = () => run.received.findLast((one) => one.to === email && one.key.includes('reset'))
  return [
    () => ({
      name: `${name} forgot the password`,
      browser,
      act: (m) => m.request('reset_password', email, null),
      send: async () => (await rest(run, browser, 'POST', '/api/users/forgot-password', { email })).text,
    }),
    () => ({
      name: `${name} resets it`,
      browser,
      act: (m, c) => m.resetPassword(link()?.key ?? '', input.password, c),
      send: async () => {
        const body = { token: link()?.token, newPassword: input.password }
        return (await rest(run, browser, 'POST', '/api/users/reset-password', body)).text
      },
    }),
    () => ({
      name: `${name} logs in`,
      browser,
      act: (m, c) => m.logIn(email, input.password, c.session, c.next),
      send: async (c) => (await call(run, browser, 'auth.login', input, { session: c.next })).text,
    }),
  ]
}

const anyEmail = ({ random: { pick, oneIn } }: Run, person: Person): string =>
  oneIn(5) ? pick(addresses) : pick(mailboxes[person])
const nextName = (run: Run, person: string) => `${person} N${(run.count += 1)}`
const newPassword = ({ random: { pick } }: Run, person: Person) => pick(passwordsOf(person))

const register: Make = (run, browser) => {
  const { person } = browser
  const typed = { email: anyEmail(run, person), password: newPassword(run, person) }
  const isRest = run.random.oneIn(2)
  // Each sending has a name of its own, by which its row is found.
  const nameOf = ({ nth }: Sent) => `${person} N${nth}`
  return {
    name: `registers ${typed.email}`,
    act: (m, c) => m.register({ key: `${person} ${c.nth}`, name: nameOf(c), ...typed }, `secret ${c.nth}`),
    send: async (c) => {
      const input = { name: nameOf(c), ...typed }
      const keys = { registered: `secret ${c.nth}` }
      const answer = isRest
        ? await rest(run, browser, 'POST', '/api/users', input, keys)
        : await call(run, browser, 'auth.register', input, keys)
      return isRest || answer.text !== '200' ? answer.text : '201'
    },
  }
}

const logIn: Make = (run, browser) => {
  const { person } = browser
  const own = run.state.users.filter((one) => one.password !== null && passwordsOf(person).includes(one.password))
  const known = run.random.oneIn(6) ? undefined : mostly(run, own, (one) => one.isVerified && one.isActive)
  const input = {
    email: known?.email ?? anyEmail(run, person),
    password: known?.password ?? newPassword(run, person),
  }
  const [isRest, isLost] = [run.random.oneIn(2), run.random.oneIn(10)]
  return {
    name: `logs in as ${input.email} with ${input.password}${isLost ? ', lost' : ''}`,
    act: (m, c) => m.logIn(input.email, input.password, c.session, c.next),
    send: async (c) =>
      (isRest && !isLost
        ? await rest(run, browser, 'POST', '/api/users/auth', input, { session: c.next })
        : await call(run, browser, 'auth.login', input, { session: c.next }, isLost)
      ).text,
  }
}

const logOut: Make = (run, browser) => {
  return {
    name: 'logs out',
    act: (m, c) => m.logOut(c.session),
    send: async () => (await call(run, browser, 'auth.logout', undefined)).text,
  }
}

const resend: Make = (run, browser) => {
  const email = anyEmail(run, browser.person)
  return {
    name: `asks for another link to ${email}`,
    act: (m, c) => m.resendVerification(email, c.session),
    send: async () => (await call(run, browser, 'auth.resendVerification', { email })).text,
  }
}

const forgot: Make = (run, browser) => {
  const email = anyEmail(run, browser.person)
  return {
    name: `asks for a reset of ${email}`,
    act: (m) => m.request('reset_password', email, null),
    send: async () => (await rest(run, browser, 'POST', '/api/users/forgot-password', { email })).text,
  }
}

/** A link that a person got by mail, mostly one that still works. */
function receivedLink(run: Run, person: Person, purpose: RegExp): Received | undefined {
  const own = run.received.filter((one) => ownerOf(one.to) === person && purpose.test(one.key))
  const m = new Accounts(run.state, run.now)
  const open = own.filter((one) => m.findLink(one.key, 'verify_email', 'reset_password', 'change_email'))
  if (open.length > 0 && !run.random.oneIn(5)) return run.random.pick(open)
  return own.length === 0 || !run.random.oneIn(3) ? undefined : run.random.pick(own)
}
/** Who holds an account: the owner of its mailbox, or who registered it. */
const holderOf = (user: User): string => (user.registration ? user.key.split(' ')[0]! : (ownerOf(user.email) ?? ''))

const useLink: Make = (run, browser) => {
  const { person } = browser
  const { pick, oneIn } = run.random
  const link = receivedLink(run, person, /verify|register|change/)
  if (!link) return undefined
  const found = run.state.links.find((one) => one.key === link.key)
  const user = run.state.users.find((one) => one.key === found?.user)
  const isOwn = user === undefined || holderOf(user) === person
  // Nobody confirms that an account of somebody else moves to their mailbox.
  if (!isOwn && found?.purpose === 'change_email') return undefined
  const { token, key, code } = link
  const way = isOwn
    ? pick(['program', 'page', 'password', 'code', 'not me'] as const)
    : pick(['password', 'not me'] as const)
  const isLost = oneIn(10)
  const password = newPassword(run, person)
  const name = nextName(run, person)
  const typed = { page: {}, password: { password }, 'not me': { name, newPassword: password } }
  switch (way) {
    case 'program':
      return {
        name: `posts ${key}`,
        act: (m, c) => m.useLink(key, c, c.next),
        send: async (c) =>
          (await rest(run, browser, 'POST', '/api/users/verify-email', { token }, { session: c.next })).text,
      }
    case 'code':
      if (code === undefined) return undefined
      return {
        name: `types the code of ${key}`,
        act: (m, c) => m.confirmCode(link.to, key, c, c.next),
        send: async (c) =>
          (await call(run, browser, 'auth.confirmCode', { email: link.to, code }, { session: c.next })).text,
      }
    default:
      return {
        name: `confirms ${key} with ${JSON.stringify(typed[way])}${isLost ? ', lost' : ''}`,
        act: (m, c) => m.confirmLink(key, c, c.next, typed[way]),
        send: async (c) =>
          (await call(run, browser, 'auth.confirmLink', { token, ...typed[way] }, { session: c.next }, isLost)).text,
      }
  }
}

const reset: Make = (run, browser) => {
  const link = receivedLink(run, browser.person, /reset/)
  if (!link) return undefined
  const input = { token: link.token, newPassword: newPassword(run, browser.person) }
  const isRest = run.random.oneIn(2)
  return {
    name: `resets by ${link.key} to ${input.newPassword}`,
    act: (m, c) => m.resetPassword(link.key, input.newPassword, c),
    send: async () =>
      (isRest
        ? await rest(run, browser, 'POST', '/api/users/reset-password', input)
        : await call(run, browser, 'auth.resetPassword', input)
      ).text,
  }
}

const google: Make = async (run, browser) => {
  const { person, visitor } = browser
  if (person !== 'mina' && person !== 'joel') return undefined
  const identity = googleOf[person]
  const start = await visitor.fetch('/api/auth/google')
  const url = new URL(start.headers.get('location') ?? '')
  url.searchParams.set('auto', 'approve')
  url.searchParams.set('as', identity.id)
  const approved = await fetch(url, { redirect: 'manual' })
  const back = approved.headers.get('location') ?? ''
  const flow = visitor.cookies.get('flashsheet_google')
  const began = run.now
  /** Sent by the browser that began this sign-in last. */
  const own = new Set<number>()
  return {
    name: `signs in with Google as ${identity.email}`,
    act: (m, c) => {
      if (m.now - began > 10 * minute || !own.has(c.nth) || m.s.spent.includes(back)) return 'refused'
      m.s.spent.push(back)
      return m.google(identity.id, identity.email, identity.name, c.session, c.next, `${person} ${c.nth}`)
    },
    send: async (c) => {
      if (visitor.cookies.get('flashsheet_google') === flow) own.add(c.nth)
      const response = await visitor.fetch(back)
      bindCookies(run, response.headers, { session: c.next })
      const to = response.headers.get('location') ?? ''
      return to === '/' ? 'in' : /deactivated|too.long/.test(to) ? 'refused' : to
    },
  }
}

const removeGoogle: Make = (run, browser) => {
  const currentPassword = userOf(run, browser)?.password ?? newPassword(run, browser.person)
  return {
    name: 'removes Google',
    act: (m, c) => m.removeGoogle(c.session, currentPassword, c.next),
    send: async (c) => (await call(run, browser, 'auth.removeGoogle', { currentPassword }, { session: c.next })).text,
  }
}

const profile: Make = (run, browser) => {
  const { person } = browser
  const { oneIn } = run.random
  const user = userOf(run, browser)
  if (!user) return undefined
  const change = {
    ...(oneIn(2) ? { name: nextName(run, person) } : {}),
    ...(oneIn(2) ? { email: anyEmail(run, person) } : {}),
    ...(oneIn(2) ? { password: newPassword(run, person) } : {}),
    currentPassword: oneIn(8) || user.password === null ? newPassword(run, person) : user.password,
  }
  const input = { _id: valueOf(run, user.key), ...change }
  const isRest = oneIn(2)
  return {
    name: `changes the profile ${JSON.stringify(change)}`,
    act: (m, c) => m.updateProfile(c.session, change, c.next),
    send: async (c) =>
      (isRest
        ? await rest(run, browser, 'PUT', '/api/users/profile', input, { session: c.next })
        : await call(run, browser, 'auth.updateProfile', input, { session: c.next })
      ).text,
  }
}

const simple =
  (name: string, procedure: string, act: (m: Accounts, session: string | undefined, next: string) => string): Make =>
  (run, browser) => ({
    name,
    act: (m, c) => act(m, c.session, c.next),
    send: async (c) => (await call(run, browser, procedure, undefined, { session: c.next })).text,
  })
const resendChange = simple('asks for the link to the new address', 'auth.resendEmailChange', (m, session) =>
  m.resendChange(session),
)
const cancelChange = simple('cancels the new address', 'auth.cancelEmailChange', (m, session) =>
  m.cancelChange(session),
)
const endOthers = simple('ends other sessions', 'auth.endOtherSessions', (m, session) => m.endOthers(session))
const keepAtOnce = simple('keeps the account', 'auth.keepAccount', (m, session, next) => m.keepAccount(session, next))
const keep: Make = async (run, browser) =>
  userOf(run, browser)?.deletionAt != null || run.random.oneIn(10) ? await keepAtOnce(run, browser) : undefined

const endOne: Make = (run, browser) => {
  const user = userOf(run, browser)?.key
  const open = run.state.sessions.filter((one) => one.expiresAt > run.now)
  const other = mostly(run, open, (one) => one.user === user)?.key
  if (!other) return undefined
  return {
    name: `ends ${other}`,
    act: (m, c) => m.endSession(c.session, other),
    send: async () => (await call(run, browser, 'auth.endSession', { id: listedId(run, other) })).text,
  }
}

const leave: Make = (run, browser) => {
  const user = userOf(run, browser)
  if (!user) return undefined
  const name = run.random.oneIn(8) ? 'Nobody' : user.name.toUpperCase()
  return {
    name: `asks to be deleted as ${name}`,
    act: (m, c) => m.requestDeletion(c.session, name),
    send: async () => (await call(run, browser, 'auth.deleteAccount', { name })).text,
  }
}

const outside: Make[] = [...often(logIn, useLink), register, forgot, reset, google]
const inside: Make[] = [
  ...often(useLink, profile),
  register,
  logIn,
  forgot,
  reset,
  logOut,
  resend,
  google,
  removeGoogle,
]
const settings: Make[] = [resendChange, cancelChange, endOthers, endOne, leave, keep]

const staffChange: Make = (run, browser) => {
  const { pick, oneIn, below } = run.random
  const user = pick(run.state.users)
  const path = `/api/admin/users/${valueOf(run, user.key)}`
  const kind = pick(['toggle', 'email', 'email', 'roles', 'roles', 'name'] as const)
  const holder = ownerOf(user.email)
  // Now and then staff mistype the address, which then belongs to somebody else.
  const own = holder === undefined || oneIn(5) ? addresses : mailboxes[holder]
  const email = pick(own)
  if (kind === 'email' && ownerOf(email) !== holder) run.moved.add(user.key)
  const change = {
    toggle: { toggle: true as const },
    email: { email },
    roles: [{ isActive: below(2) === 0 }, { isAdmin: below(2) === 0 }][below(2)]!,
    name: { name: nextName(run, holder ?? 'nobody') },
  }[kind]
  return {
    name: `change ${user.key}: ${JSON.stringify(change)}`,
    act: (m, c) => m.changeUser(c.session, user.key, change),
    send: async () =>
      (kind === 'toggle'
        ? await rest(run, browser, 'PATCH', `${path}/toggle-status`)
        : await rest(run, browser, 'PUT', path, change)
      ).text,
  }
}
const staffDelete: Make = (run, browser) => {
  const user = run.random.pick(run.state.users)
  if (!run.random.oneIn(3)) return undefined
  return {
    name: `delete ${user.key}`,
    act: (m, c) => m.deleteUser(c.session, user.key),
    send: async () => (await rest(run, browser, 'DELETE', `/api/admin/users/${valueOf(run, user.key)}`)).text,
  }
}
const byStaff: Make[] = [...often(staffChange), staffDelete, logIn, profile, endOthers, leave, keep]
