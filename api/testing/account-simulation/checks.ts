import { sha256 } from '../../core/crypto.ts'
import { control, type SandboxMail } from '../sandbox.ts'
import { tablesContaining } from '../owned-rows.ts'
import { type State } from './access.ts'
import { Accounts } from './model.ts'
import { addresses, bind, ownerOf, query, type Run, valueOf } from './world.ts'

export const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
const join = (...facts: unknown[]) => facts.map((one) => (Array.isArray(one) ? one.join('+') : String(one))).join(' | ')

type Row = {
  id: string
  name: string
  email: string
  verified: boolean
  registered: boolean
  admin: boolean
  active: boolean
  pending: string | null
  leaving: boolean
  purging: boolean
  password: boolean
  google: number
  sessions: number
  keys: number
  grants: number
  tokens: number
  links: string[]
}

/** The rows of the product as text, one line for each user, request and mail that waits. */
export async function readRows(run: Run): Promise<{ rows: Row[]; rest: string[] }> {
  const { sql } = run.app.client
  const now = new Date(run.now).toISOString()
  const rows = await sql<Row[]>`
    select u.id, u.name, u.email, u.email_verified_at is not null as verified, r.user_id is not null as registered,
      u.is_admin as admin, u.is_active as active, u.pending_email as pending, u.deletion_asked_at is not null as leaving,
      u.purging_at is not null as purging, u.password_hash is not null as password,
      (select count(*)::int from user_identities where user_id = u.id) as google,
      (select count(*)::int from sessions where user_id = u.id and expires_at > ${now}::timestamptz) as sessions,
      (select count(*)::int from api_keys where user_id = u.id) as keys,
      (select count(*)::int from assistant_grants where user_id = u.id) as grants,
      (select count(*)::int from assistant_tokens t join assistant_grants g on g.id = t.grant_id where g.user_id = u.id and t.expires_at > ${now}::timestamptz) as tokens,
      array(select purpose || ' ' || email from link_tokens where user_id = u.id and used_at is null and expires_at > ${now}::timestamptz order by 1) as links
    from users u left join registrations r on r.user_id = u.id order by u.id`
  const requests = await sql<{ purpose: string; email: string; user: string | null }[]>`
    select purpose, email, user_id as user from link_requests`
  const mails = await sql<
    { text: string }[]
  >`select "to" || ' ' || subject as text from mails where sent_at is null order by 1`
  const [clients] = await sql<{ text: string }[]>`select count(*)::text as text from assistant_clients`
  const texts = requests.map((one) => requestText({ ...one, user: one.user && (run.keys.get(one.user) ?? 'gone') }))
  return { rows, rest: [...texts.toSorted(), ...mails.map((one) => one.text), clients?.text ?? ''] }
}

/** The user of a new registration has no key yet. */
const requestText = ({ purpose, email, user }: { purpose: string; email: string; user: string | null }) =>
  `${purpose} ${email} ${purpose === 'register' ? '' : user}`

const lineOf = (key: string, row: Omit<Row, 'id'>) =>
  join(
    key,
    row.name,
    row.email,
    row.verified,
    row.registered,
    row.admin,
    row.active,
    row.pending,
    row.leaving,
    row.purging,
    row.password,
    row.google,
    row.sessions,
    row.keys,
    row.grants,
    row.tokens,
    row.links,
  )

/** What the rows should be. A user whose id is not known yet is found by name and address. */
export function linesOf(run: Run, state: State, rows: readonly Row[]): { expected: string[]; actual: string[] } {
  const names = new Map(rows.map((row) => [row.id, run.keys.get(row.id)]))
  for (const user of state.users.filter((one) => !run.values.has(one.key))) {
    const row = rows.find(
      (one) => names.get(one.id) === undefined && one.name === user.name && one.email === user.email,
    )
    if (row) names.set(row.id, user.key)
  }
  const expected = state.users.map((user) =>
    lineOf(user.key, {
      name: user.name,
      email: user.email,
      verified: user.isVerified,
      registered: user.registration !== null,
      admin: user.isAdmin,
      active: user.isActive,
      pending: user.pendingEmail,
      leaving: user.deletionAt !== null,
      purging: user.isPurging,
      password: user.password !== null,
      google: user.google.length,
      sessions: state.sessions.filter((one) => one.user === user.key && one.expiresAt > run.now).length,
      keys: state.keys.filter((one) => one.user === user.key).length,
      grants: state.grants.filter((one) => one.user === user.key).length,
      tokens: state.tokens.filter(
        (one) =>
          one.expiresAt > run.now && state.grants.some((grant) => grant.key === one.grant && grant.user === user.key),
      ).length,
      links: state.links
        .filter((one) => one.user === user.key && !one.isUsed && one.expiresAt > run.now)
        .map((one) => `${one.purpose} ${one.email}`)
        .toSorted(),
    }),
  )
  const actual = rows.map((row) => lineOf(names.get(row.id) ?? 'unknown', row))
  return { expected: expected.toSorted(), actual: actual.toSorted() }
}

export const restOf = (state: State): string[] => [
  ...state.requests.map(requestText).toSorted(),
  ...state.mails.map((one) => `${one.to} ${one.subject}`).toSorted(),
  String(state.clients.length),
]

export function bindUsers(run: Run, rows: readonly Row[]): void {
  for (const user of run.state.users.filter((one) => !run.values.has(one.key))) {
    const row = rows.find((one) => !run.keys.has(one.id) && one.name === user.name && one.email === user.email)
    if (row) bind(run, user.key, row.id)
  }
  // Of registrations at the same moment the one with the higher id is the newer.
  run.state.users.sort((a, b) => (valueOf(run, a.key) < valueOf(run, b.key) ? -1 : 1))
}

/** Whoever uses an account holds its mailbox; an address belongs to one account. */
export function checkOwners({ state, moved, check }: Run): void {
  for (const session of state.sessions) {
    const user = state.users.find((one) => one.key === session.user)
    const person = session.key.split(':')[0]
    check(
      user === undefined || !user.isVerified || moved.has(user.key) || ownerOf(user.email) === person,
      'a session in an account of another mailbox',
      session,
      user,
    )
  }
  const verified = state.users.filter((one) => one.isVerified).map((one) => one.email)
  check(new Set(verified).size === verified.length, 'two accounts of one address', state.users)
}

/** What each credential ever issued opens; all of them, or a sample. */
export async function checkCredentials(run: Run, isSample: boolean): Promise<void> {
  const { app, state, now, random, check } = run
  const m = new Accounts(state, now)
  const chosen = [...run.values.keys()].filter(() => !isSample || random.oneIn(6))
  for (const key of chosen) {
    const visitor = app.visitor()
    if (/^\w+: ?\d/.test(key)) {
      m.touch(key)
      visitor.cookies.set('flashsheet_session', valueOf(run, key))
      const { data } = await query(visitor, 'auth.me')
      const session = m.sessionOf(key)
      const user = m.user(session?.user ?? null)
      const [id] = [(data as { _id?: string } | null)?._id]
      check(id === (user && valueOf(run, user.key)), `the session ${key} opens`, data, user)
      const { status, body } = await visitor.get<{ code?: string }>('/api/me')
      const opened = status === 403 ? `403 ${body.code}` : String(status)
      const expected = user ? m.levelOf(user, 'verified') : '401'
      check(opened === expected, `the session ${key} gets`, opened, expected)
      if (expected === '200' && user) {
        const listed = (await query(visitor, 'auth.sessions')).data as unknown[]
        const own = state.sessions.filter((one) => one.user === user.key && one.expiresAt > now)
        check(listed.length === own.length, 'listed sessions', listed, own)
      }
    } else if (key.startsWith('key ')) {
      const { status, body } = await visitor.get<{ code?: string }>('/api/me', {
        authorization: `Bearer ${valueOf(run, key)}`,
      })
      const opened = status === 403 ? `403 ${body.code}` : String(status)
      check(opened === m.keyOpens(key), `${key} opens`, opened, m.keyOpens(key))
    } else if (key.endsWith(' access')) {
      const opened = await openMcp(run, valueOf(run, key))
      check(opened === m.tokenOpens(key), `${key} opens`, opened, m.tokenOpens(key))
    } else if (key.startsWith('link ')) {
      const { text } = await query(visitor, 'auth.readLink', { token: valueOf(run, key) })
      const expected = m.findLink(key, 'verify_email', 'change_email') ? '200' : '400'
      check(text === expected, `${key} is`, text, expected)
    }
  }
}

/** Calls a tool: 401 without access, the code of the guard, or 200 if only a subscription is missing. */
async function openMcp({ app }: Run, token: string): Promise<string> {
  const answer = await app
    .visitor()
    .post(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_accounts', arguments: {} } },
      { accept: 'application/json, text/event-stream', authorization: `Bearer ${token}` },
    )
  if (answer.status !== 200) return String(answer.status)
  const code = /\\?"code\\?":\\?"(\w+)/.exec(JSON.stringify(answer.body).replaceAll('\\', ''))?.[1]
  return code === 'no_subscription' ? '200' : `403 ${code}`
}

/** Each mail that arrived has a cause, and each cause its mail. Their links are bound to those of the model. */
export async function readMails(run: Run, expected: readonly { to: string; subject: string; link?: string }[]) {
  const all = (await control<SandboxMail[]>(run.app, 'GET', '/mail')).toReversed()
  const arrived = all.slice(run.seenMails)
  run.seenMails = all.length
  const texts = (list: readonly { to: string; subject: string }[]) => list.map(({ to, subject }) => `${to}: ${subject}`)
  run.check(
    isSame(texts(arrived).toSorted(), texts(expected).toSorted()),
    'the mails that arrived',
    texts(arrived).toSorted(),
    texts(expected).toSorted(),
  )
  const open = expected.filter((one) => one.link !== undefined)
  for (const mail of arrived) {
    run.check(addresses.includes(mail.to as never), 'a mail to nobody', mail)
    const link = mail.links.find((one) => one.includes('token='))
    if (!link) continue
    const token = new URL(link).searchParams.get('token') ?? ''
    const rows = await run.app.client.sql`select user_id, purpose from link_tokens where hash = ${sha256(token)}`
    const owner = run.keys.get((rows[0]?.['user_id'] as string | undefined) ?? '')
    const like = open.filter((one) => one.to === mail.to && one.subject === mail.subject)
    const found =
      like.find((one) => run.state.links.find(({ key }) => key === one.link)?.user === owner) ??
      like.find((one) => !run.state.links.some(({ key }) => key === one.link))
    run.check(found !== undefined, 'a link of nobody', mail.subject, mail.to, owner)
    if (!found?.link) continue
    open.splice(open.indexOf(found), 1)
    bind(run, found.link, token)
    const code = /^Code: (\d{6})/m.exec(mail.text)?.[1]
    run.received.push({ key: found.link, to: mail.to, token, code })
  }
}

/** After the last account was purged nothing of anybody is left. */
export async function checkNothingLeft({ app, check }: Run): Promise<void> {
  const left = await tablesContaining(app.client, [...addresses, 'mina N', 'joel N', 'eve N'])
  check(left.length === 0, 'left after the purge', left)
}
