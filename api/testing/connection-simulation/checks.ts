import { platformNames } from '@flashsheet/contracts/networks'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { leases } from '@flashsheet/db/schema/leases'
import { notices } from '@flashsheet/db/schema/notices'
import { mails } from '@flashsheet/db/schema/outbox'
import { disconnections, postTargets } from '@flashsheet/db/schema/posts'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { eq, inArray } from 'drizzle-orm'
import { connectAssistant } from '../assistant.ts'
import { control, type SandboxPost } from '../sandbox.ts'
import {
  type Account,
  type Actor,
  day,
  isShared,
  keyOf,
  logins,
  minute,
  personsOf,
  reconcile,
  type Run,
} from './model.ts'
import { issuedTokens, networkState, openStates, pageIdsOf, storedAccounts, type StoredAccount, work } from './world.ts'

/** What the checks remember of earlier steps. */
export type Memory = {
  /** The notices about the loss of each account. */
  lossNotices: Map<string, number>
  /** Whose permission each is. */
  owners: Map<string, string>
}

const keyOfRow = ({ platform, providerUserId: person }: StoredAccount) => keyOf({ platform, person })
const isConnected = (row: StoredAccount) => row.disconnectingAt === null
const of = (column: PgColumn, { actors }: Run) =>
  inArray(
    column,
    actors.map(({ artist }) => artist.id),
  )
const accountOf = ({ actors }: Run, row: StoredAccount): Account | undefined =>
  actors.flatMap(({ accounts }) => [...accounts.values()]).find(({ id }) => id === row.id)

export async function checkStep(run: Run, memory: Memory, startedAt: number): Promise<void> {
  const { world, check, step } = run
  const rows = await storedAccounts(world)
  reconcile(run, ({ artist }) =>
    rows
      .filter((row) => isConnected(row) && row.userId === artist.id)
      .map((row) => ({
        login: logins.find((one) => keyOf(one) === keyOfRow(row)) ?? {
          platform: row.platform,
          person: row.providerUserId,
          pages: [],
        },
        id: row.id,
        pages: pageIdsOf(row),
      })),
  )
  for (const post of run.posts)
    post.mayVanish ||= step.removed.some(({ by, key }) => by === post.by && key === post.key)
  for (const row of rows) {
    const { worth, health } = row
    const key = keyOfRow(row)
    memory.owners.set(worth.grant, row.userId)
    check(worth.grant !== '', 'a token that the network never issued', key)
    check(worth.person === row.providerUserId, "another person's token", key, worth.person)
    check(health === 'ok' || worth.works !== 'yes' || !isConnected(row), 'a working connection is shown as broken', key)
    const was = step.before.find(({ id }) => id === row.id)
    for (const page of was && isConnected(was) ? row.pages : [])
      if (!was?.pages.some(({ pageId }) => pageId === page.pageId))
        check(page.connectedAt.getTime() >= startedAt, 'a page that returned has an old date', key, page.pageId)
  }
  for (const { key, at } of step.revoked)
    for (const row of rows)
      if (
        isConnected(row) &&
        keyOfRow(row) === key &&
        row.worth.works === 'no' &&
        (accountOf(run, row)?.since ?? at) < at
      )
        check(row.health === 'reconnect', 'the person removed the app, and nothing was marked', key)
  checkRevoked(run, rows)
  await checkNotices(run, rows, memory)
  await checkPosts(run, memory, false)
  await checkLists(run, rows)
}

/** Whether the person's permission was not revoked. One of which no token is valid any more is of no use, and nobody can revoke it. */
export function isGranted(run: Run, row: StoredAccount): boolean {
  if (row.platform === 'instagram' || row.worth.grant === '') return false
  const { grants, access } = networkState(run.world)[row.platform === 'youtube' ? 'google' : row.platform] ?? {}
  const grant = grants?.[row.worth.grant]
  if (grant?.['revoked'] !== false) return false
  if (row.platform !== 'linkedin' && row.platform !== 'tiktok') return true
  const isLater = (at: unknown) => at === undefined || Number(at) > run.now()
  const own = Object.values(access ?? {}).filter((one) => one['grant'] === row.worth.grant)
  return isLater(grant['refreshUntil']) || own.some((one) => isLater(one['expiresAt']))
}

/** The permission of an account that has gone is revoked, unless another one needs it. */
function checkRevoked(run: Run, rows: readonly StoredAccount[]): void {
  const { actors, step, check } = run
  for (const was of step.before.filter(({ id }) => !rows.some((row) => row.id === id))) {
    const by = actors.find(({ artist }) => artist.id === was.userId)
    const login = { platform: was.platform, person: was.providerUserId, pages: [] }
    const isNeeded =
      !by || isShared(run, login, by) || rows.some((row) => isConnected(row) && keyOfRow(row) === keyOfRow(was))
    check(isNeeded || step.isRefusing || !isGranted(run, was), 'a permission was not revoked', keyOfRow(was))
  }
}

/** The artist is notified of each loss of a connection once; each end that is known is announced at most twice. */
async function checkNotices(run: Run, rows: readonly StoredAccount[], { lossNotices }: Memory): Promise<void> {
  const { world, check, step } = run
  const sent = await world.app.client.db.select().from(notices).where(of(notices.userId, run))
  for (const row of rows.filter(isConnected)) {
    const key = keyOfRow(row)
    const was = step.before.find(({ id }) => id === row.id)
    const count = sent.filter((one) => one.dedupeKey.startsWith(`account ${row.id} reconnect`)).length
    const fresh = count - (lossNotices.get(row.id) ?? 0)
    lossNotices.set(row.id, count)
    const isRenewed = step.connected.some((one) => keyOf(one.login) === key) || !step.isStrict
    if (row.health === 'reconnect' && was?.health !== 'reconnect') check(fresh > 0, 'no notice of a loss', key)
    else check(fresh === 0 || isRenewed, 'a notice of a loss that did not happen', key)
    const since = accountOf(run, row)?.since ?? 0
    const warnings = sent.filter(
      (one) => one.dedupeKey.startsWith(`account ${row.id} ends`) && one.createdAt.getTime() > since,
    )
    for (const when of ['day', 'week']) {
      const title = `Access to ${platformNames[row.platform]} ends within a ${when}`
      const times = warnings.filter((one) => one.title === title).map(({ createdAt }) => createdAt)
      check(times.length < 2, 'an end is announced again and again', key, times)
    }
    const end = was?.refreshToken === null ? was.accessExpiresAt : was?.refreshExpiresAt
    const planSince = run.actors.find(({ artist }) => artist.id === row.userId)?.withoutPlan.at(-1)?.to ?? 0
    const hasEnded = end && end.getTime() - Math.max(since, planSince) > 8 * day && end.getTime() < run.now()
    if (
      row.platform === 'linkedin' &&
      row.health === 'reconnect' &&
      was?.health === 'ok' &&
      was.worth.isGranted &&
      hasEnded
    )
      check(warnings.length > 0, 'an access ended without a warning', key)
  }
}

async function checkPosts(run: Run, { owners }: Memory, isAtRest: boolean): Promise<void> {
  const { world, check, posts } = run
  const { db } = world.app.client
  const shown = await control<SandboxPost[]>(world.app, 'GET', '/posts')
  const targets = isAtRest ? await db.select().from(postTargets).where(of(postTargets.userId, run)) : []
  const sent = isAtRest ? await db.select().from(notices).where(of(notices.userId, run)) : []
  for (const post of posts) {
    const published = shown.filter(({ text, title }) => text === post.text || title === post.text)
    check(published.length <= 1, 'published twice', post.text)
    for (const one of published) {
      check(one.pageId === post.pageId && post.key.startsWith(one.platform), 'on another page', post.text, one.pageId)
      check(!post.isCancelled, 'published after its page was disconnected', post.text)
    }
    if (!isAtRest || post.by.isGone) continue
    const target = targets.find(({ message }) => message === post.text)
    check(target !== undefined || post.mayVanish, 'a post was lost', post.text)
    if (!target) continue
    const { phase, errorMessage: why } = target
    check(phase === 'posted' || phase === 'failed', 'a post never ends', post.text, phase)
    check(
      (phase === 'posted') === (published.length === 1) || target.unclear,
      'a post is shown as',
      phase,
      post.text,
      why,
    )
    if (phase === 'failed') run.log(`  failed: ${why}`)
    const isTold = sent.some(({ kind, link }) => kind === 'post_failed' && link.includes(target.postId))
    check(phase !== 'failed' || isTold, 'a post failed without a notice', post.text, why)
  }
  for (const publish of Object.values(networkState(world)['tiktok']?.['publishes'] ?? {})) {
    const { post, grant } = publish as { post: { title: string }; grant: string }
    const by = posts.find(({ text }) => text === post.title)?.by
    const owner = owners.get(grant)
    check(!owner || !by || owner === by.artist.id, "published with another artist's token", post.title)
  }
}

/** The lists that screens, programs and assistants read. */
async function checkLists({ world, random, actors, check }: Run, rows: readonly StoredAccount[]): Promise<void> {
  const actor = random.pick(actors)
  if (actor.isGone || !actor.hasPlan) return
  const line = (id: string, key: string, health: string | undefined, pages: readonly string[]) =>
    [id, key, health, ...pages.toSorted()].join(' ')
  const expected = [...actor.accounts.values()].map(({ id, login, pages }) =>
    line(id, keyOf(login), rows.find((row) => row.id === id)?.health, pages),
  )
  const reader = random.pick(Object.keys(readers))
  const list = (await readers[reader]!(world.app, actor)).map((one) =>
    line(one._id, keyOf({ platform: one.platform, person: one.providerUserId }), one.health, pageIdsOf(one)),
  )
  check(
    JSON.stringify(list.toSorted()) === JSON.stringify(expected.toSorted()),
    `the list by ${reader}`,
    list,
    expected,
  )
}

const readers: Record<string, (app: Run['world']['app'], actor: Actor) => Promise<SocialAccount[]>> = {
  rest: async (_app, { artist }) => (await artist.get<SocialAccount[]>('/api/social-accounts')).body,
  trpc: async (_app, { artist }) => await artist.trpc.social.accounts.query(),
  program: async (_app, { program }) => (await program.get<SocialAccount[]>('/api/social-accounts')).body,
  assistant: async (app, { program }) => {
    const assistant = await connectAssistant(app, program.key)
    const { answer } = await assistant.call<{ accounts: SocialAccount[] }>('list_accounts')
    await assistant.client.close()
    return answer.accounts
  },
}

/** Once all jobs have run and every account was checked at its network. */
export async function checkRest(run: Run, memory: Memory): Promise<void> {
  const { world, check, actors } = run
  const { db, sql } = world.app.client
  await checkPosts(run, memory, true)
  check((await openStates(world)).length === 0, 'states of old flows are left')
  check((await db.$count(leases)) === 0, 'a lease is left')
  check((await db.$count(disconnections)) === 0, 'a page is still marked as disconnected')
  const { failures } = await work(world, run.random)
  check(failures.length === 0, 'jobs fail at rest', failures)
  const rows = await storedAccounts(world)
  for (const row of rows) {
    check(isConnected(row), 'an account is still being disconnected', keyOfRow(row))
    check((row.health === 'ok') === (row.worth.works === 'yes'), 'the health after a check', keyOfRow(row), row.health)
  }
  for (const { artist, isGone, withoutPlan } of actors) {
    if (isGone) continue
    // Without a plan some notices are mailed. One that came as the plan began or ended may have been mailed.
    const isWithoutPlan = ({ createdAt }: { createdAt: Date }) =>
      withoutPlan.some(({ from, to }) => createdAt.getTime() > from - minute && createdAt.getTime() < to + minute)
    const sent = await db.select().from(notices).where(eq(notices.userId, artist.id))
    const mailed = await db.select().from(mails).where(eq(mails.to, artist.email))
    for (const { title } of sent.filter(({ kind }) => kind === 'account_reconnect')) {
      const same = sent.filter((one) => one.title === title)
      const least = same.filter((one) => !isWithoutPlan(one)).length
      const count = mailed.filter(({ subject }) => subject === title).length
      check(least <= count && count <= same.length, 'mails of a notice', title, [least, count, same.length])
    }
    check(!mailed.some(({ sentAt }) => sentAt === null), 'a mail was not sent')
  }
  for (const [body, code] of run.deletions) {
    const { isDone } = await world.app.visitor().trpc.social.deletionStatus.query({ code })
    const isBack = personsOf(body).some((key) => actors.some(({ accounts }) => accounts.has(key)))
    check(isDone || isBack, 'a deletion is never done')
  }
  const tables = [
    'social_accounts',
    'social_pages',
    'oauth_states',
    'pgboss.job',
    'notices',
    'mails',
    'post_targets',
    'publish_attempts',
  ]
  let stored = ''
  for (const table of tables) stored += JSON.stringify(await sql.unsafe(`select t::text from ${table} t`))
  for (const token of issuedTokens(world)) check(!stored.includes(token), 'a token in plain text', token.slice(0, 8))
}
