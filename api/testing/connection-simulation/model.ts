import type { Platform } from '@flashsheet/contracts/networks'
import type { Artist, Visitor } from '../actors.ts'
import type { Random } from '../random.ts'
import type { StoredAccount, World } from './world.ts'

/** The rules of docs/product/social-accounts.md once more, without the product's code. */

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

/** A person who can log in at a network, with the pages that they may post to. `always`: granted without a choice. */
export type Login = { platform: Platform; person: string; pages: readonly string[]; always?: readonly string[] }

const login = (platform: Platform, person: string, pages: readonly string[] = [person]): Login => ({
  platform,
  person,
  pages,
})
export const personalInstagram = '17841460011220003'
export const logins: readonly Login[] = [
  login('facebook', '10226001845530121', ['104882637710001', '104882637710002']),
  login('facebook', '10226001845530122', ['104882637710003', '104882637710004']),
  { ...login('facebook', '10226001845530123', ['104882637710005']), always: ['104882637710007'] },
  login('instagram', '17841460011220001'),
  login('instagram', '17841460011220002'),
  login('tiktok', '-000TidewaterInkq7Vd2mXb94aKcLw'),
  login('tiktok', '-000MarlowNeedleR3fYtz80hPqJe6s'),
  login('youtube', 'UCtw4Q8mInkTidewaterX2bR'),
  login('youtube', 'UCbk7J3vFlashBlackthorn5'),
  login('linkedin', 'tR9wX2kQpL', ['40718201', '40718202']),
  login('linkedin', 'mV4cJ7yBnZ', ['40718203', '40718204']),
]

/** An OAuth flow after the person's decision; its redirect may reach us late, twice, or from somebody else. */
export type Flow = {
  by: Actor
  session: Visitor
  login: Login
  /** What the person granted; empty if they refused, left out a permission, or chose no page. */
  granted: readonly string[]
  beganAt: number
  redirect: string
  isUsed: boolean
}

export type Account = { login: Login; id: string; pages: readonly string[]; since: number }

export type Post = {
  text: string
  by: Actor
  key: string
  accountId: string
  pageId: string
  /** Disconnected before it began: it must never appear. */
  isCancelled: boolean
  /** Its page was disconnected at some time, so it may be deleted. */
  mayVanish: boolean
}

export type Actor = {
  artist: Artist
  /** Two browsers of the same artist. */
  sessions: readonly Visitor[]
  program: Visitor & { key: string }
  image: string
  video: string
  accounts: Map<string, Account>
  hasPlan: boolean
  /** In these times nothing is mailed or announced. */
  withoutPlan: { from: number; to: number }[]
  isGone: boolean
}

/** What the operations of one step were answered. */
export type Step = {
  /** One operation, no fault, and no job at the same time: the answer must be exactly that of the model. */
  isStrict: boolean
  /** Posts may begin during the step. */
  hasJobs: boolean
  /** A fault may end tokens or refuse for good. */
  isRefusing: boolean
  before: readonly StoredAccount[]
  connected: { by: Actor; login: Login; granted: readonly string[] }[]
  removed: { by: Actor; key: string; pageId?: string }[]
  /** Removals of the app by a person that arrived, with their time. */
  revoked: { key: string; at: number }[]
}

export type Run = {
  world: World
  random: Random
  actors: readonly Actor[]
  flows: Flow[]
  posts: Post[]
  /** Deletion requests that were delivered, with the code that was answered. */
  deletions: Map<string, string>
  step: Step
  now: () => number
  log: (line: string) => void
  check: (isTrue: boolean, ...texts: unknown[]) => void
}

export const maxAccounts = 5
export const keyOf = ({ platform, person }: Pick<Login, 'platform' | 'person'>): string => `${platform} ${person}`
export const flowMs = 15 * minute
/** How long a network's code is valid, at least. */
const codeMs = 5 * minute

/** Why a redirect must connect nothing; undefined if it must connect. `code`: the network may refuse the code. */
export function refusalOf(run: Run, flow: Flow, by: Actor, session: Visitor): 'ours' | 'code' | 'limit' | undefined {
  if (!by.hasPlan || by.isGone) return 'ours'
  if (flow.by !== by || flow.session !== session || flow.isUsed || run.now() - flow.beganAt >= flowMs) return 'ours'
  if (flow.granted.length === 0) return 'ours'
  if (run.now() - flow.beganAt >= codeMs) return 'code'
  if (!by.accounts.has(keyOf(flow.login)) && by.accounts.size >= maxAccounts) return 'limit'
  return undefined
}

const isSameSet = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((one) => b.includes(one))

/**
 * Brings the model up to date with the answers of a step. Each account must be explained by what was before and by the
 * answers; where two concurrent operations are about the same account, either order explains it.
 */
export function reconcile(run: Run, shown: (actor: Actor) => readonly Omit<Account, 'since'>[]): void {
  const { connected, removed } = run.step
  for (const actor of run.actors) {
    const now = shown(actor)
    const isOwn = (one: { by: Actor }) => one.by === actor
    const keys = new Set([...actor.accounts.keys(), ...now.map(({ login: one }) => keyOf(one))])
    const after = new Map<string, Account>()
    for (const key of keys) {
      const was = actor.accounts.get(key)
      const is = now.find((one) => keyOf(one.login) === key)
      const connects = connected.filter((one) => isOwn(one) && keyOf(one.login) === key)
      const removals = removed.filter((one) => isOwn(one) && one.key === key)
      const ends = removals.filter(({ pageId }) => pageId === undefined)
      const withoutPages = removals.flatMap(({ pageId }) => pageId ?? [])
      const candidates = [...(was ? [was.pages] : []), ...connects.map(({ granted }) => granted)]
      const mayBeGone =
        actor.isGone ||
        ends.length > 0 ||
        candidates.some((pages) => pages.every((page) => withoutPages.includes(page)))
      run.check(is !== undefined || candidates.length === 0 || mayBeGone, 'an account is missing', key, actor.artist.id)
      if (!is) continue
      run.check(candidates.length > 0, 'an account that nobody connected', key)
      run.check(connects.length > 0 || ends.length === 0, 'a disconnected account is still shown', key)
      const fits = candidates.slice(connects.length > 0 && removals.length === 0 ? -connects.length : 0).some(
        (pages) =>
          isSameSet(is.pages, pages) ||
          isSameSet(
            is.pages,
            pages.filter((page) => !withoutPages.includes(page)),
          ),
      )
      run.check(fits, 'other pages than granted', key, is.pages, candidates, withoutPages)
      if (connects.length === 0)
        run.check(!is.pages.some((page) => withoutPages.includes(page)), 'a removed page is still shown', key)
      after.set(key, { ...is, since: connects.length > 0 || !was ? run.now() : was.since })
    }
    run.check(after.size <= maxAccounts, 'more accounts than allowed', [...after.keys()])
    actor.accounts = after
  }
}

/** Whether another stored account needs the person's permission. YouTube's revocation ends all of an artist's. */
export const isShared = (run: Run, { platform, person }: Login, by: Actor) =>
  run.step.before.some(
    (row) =>
      row.platform === platform &&
      row.disconnectingAt === null &&
      (row.providerUserId === person || (platform === 'youtube' && row.userId === by.artist.id)),
  )

/** The accounts that a deletion request is about. */
export function personsOf(body: string): string[] {
  const payload = new URLSearchParams(body).get('signed_request')?.split('.')[1] ?? ''
  const { user_id: id } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { user_id: string }
  const scoped: Record<string, string> = {
    '24900871155500001': '17841460011220001',
    '24900871155500002': '17841460011220002',
  }
  return [`facebook ${id}`, `instagram ${scoped[id] ?? id}`]
}
