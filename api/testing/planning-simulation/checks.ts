import type { TargetPhase } from '@flashsheet/contracts/posts/limits'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import { neverDue } from '@flashsheet/contracts/queue/limits'
import { control, type SandboxPost } from '../sandbox.ts'
import * as model from './model.ts'
import type { Artist, Post, Target } from './model.ts'
import type { Run } from './operations.ts'

export class Violation extends Error {}
export function check(isTrue: boolean, ...texts: unknown[]): asserts isTrue {
  if (!isTrue) throw new Violation(texts.map((one) => (typeof one === 'string' ? one : inspect(one))).join(' '))
}
/** Instants as text. */
const inspect = (what: unknown) =>
  JSON.stringify(what, (_key, value: unknown) =>
    typeof value === 'number' && value > 1e11 && value < 1e14 ? new Date(value).toISOString().slice(5, 23) : value,
  )

export type TargetRow = {
  id: string
  postId: string
  account: string | null
  pageId: string
  pageName: string
  title: string
  message: string
  phase: TargetPhase
  dueAt: number
  held: boolean
  awaits: boolean
  unclear: boolean
  errorMessage: string | null
  slotAt: number | null
}
export type PostRow = {
  id: string
  requestId: string
  status: string
  scheduledAt: number
  errorMessage: string | null
  targets: TargetRow[]
}

/** The artist's posts as they are stored, by their request ids. */
export async function readRows({ world, people }: Run, which: number): Promise<Map<string, PostRow>> {
  const { sql } = world.app.client
  const owner = people[which]!.client.id
  const ms = (column: string) => sql.unsafe(`(extract(epoch from ${column}) * 1000)::float8`)
  const posts =
    (await sql`select id, request_id as "requestId", status, ${ms('scheduled_at')} as "scheduledAt", error_message as "errorMessage"
    from posts where user_id = ${owner}`) as unknown as PostRow[]
  const targets =
    (await sql`select id, post_id as "postId", t.account_id as account, t.page_id as "pageId", page_name as "pageName", title, message,
      phase, ${ms('due_at')} as "dueAt", held, awaits_account as awaits, unclear, error_message as "errorMessage", ${ms('slot_at')} as "slotAt"
    from post_targets t left join queue_places q on q.target_id = t.id where t.user_id = ${owner} order by t.id`) as unknown as TargetRow[]
  return new Map(
    posts.map((post) => {
      const own = targets.filter((one) => one.postId === post.id)
      return [
        post.requestId,
        {
          ...post,
          targets: own.map((one) => ({ ...one, dueAt: one.dueAt >= neverDue.getTime() ? model.never : one.dueAt })),
        },
      ]
    }),
  )
}

export const hasBegun = (row: TargetRow | undefined): boolean =>
  row !== undefined &&
  (row.phase !== 'scheduled' || row.awaits || row.errorMessage !== null) &&
  row.errorMessage !== postMessages.subscriptionEnded

/** The request id by which a post of the model is stored. */
export const storedRequestId = ({ ids }: Run, { requestId }: Post): string =>
  requestId.startsWith('draft:') ? `draft:${ids.get(requestId.slice(6))}` : requestId
export const rowOf = (post: PostRow | undefined, target: model.Page): TargetRow | undefined =>
  post?.targets.find((one) => one.pageId === target.pageId && (one.account ?? target.account) === target.account)

/** What a step took: instants in it count as the same. */
export type Span = { from: number; to: number }
const isSameTime = (one: number, other: number, { from, to }: Span) => {
  const isNow = (at: number) => at > from - 50 && at < to + 50
  return one === other || Math.abs(one - other) < 2 || (isNow(one) && isNow(other))
}

/** The first difference between what is stored and the model; undefined without one. */
export function differenceOf(run: Run, artist: Artist, rows: Map<string, PostRow>, span: Span): string | undefined {
  const expected = artist.posts.filter((one) => !one.isDeleted)
  const known = new Set(expected.map((post) => storedRequestId(run, post)))
  for (const requestId of rows.keys()) if (!known.has(requestId)) return `the post ${requestId} should not exist`
  for (const post of expected) {
    const row = rows.get(storedRequestId(run, post))
    if (!row) return `${post.key} is gone`
    if (row.targets.length !== post.targets.length) return `${post.key} has ${row.targets.length} targets`
    if (!isSameTime(row.scheduledAt, post.scheduledAt, span))
      return `${post.key} is planned for ${inspect(row.scheduledAt)}, not ${inspect(post.scheduledAt)}`
    for (const target of post.targets) {
      const found = rowOf(row, target)
      const text = found ? differenceOfTarget(target, found, span) : 'is gone'
      if (text !== undefined) return `${target.key} ${text}`
    }
  }
  return undefined
}

function differenceOfTarget(target: Target, row: TargetRow, span: Span): string | undefined {
  const { state } = target
  if (
    !(row.account === null && target.isDisconnected) &&
    (row.message !== target.message || row.title !== target.title)
  )
    return `says ${row.message}, not ${target.message}`
  if (state === 'posted' || state === 'failed') return row.phase === state ? undefined : `is ${row.phase}, not ${state}`
  if (state === 'begun') return hasBegun(row) || row.held ? undefined : 'did not begin'
  if (row.phase !== 'scheduled') return `is ${row.phase}, but should wait until ${inspect(target.dueAt)}`
  if (!isSameTime(row.dueAt, target.dueAt, span)) return `is due ${inspect(row.dueAt)}, not ${inspect(target.dueAt)}`
  if (row.held !== target.isHeld) return `is ${row.held ? '' : 'not '}held`
  if (row.awaits !== target.awaits) return `${row.awaits ? 'waits' : 'does not wait'} for its account`
  if ((row.slotAt ?? 0) > span.to && row.slotAt !== target.slotAt)
    return `has the slot ${inspect(row.slotAt)}, not ${inspect(target.slotAt)}`
  return undefined
}

/** Everything that the networks have of this run. */
export async function published({ world, name }: Run): Promise<SandboxPost[]> {
  const posts = await control<SandboxPost[]>(world.app, 'GET', '/posts')
  return posts.filter(({ text }) => text.startsWith(`${name} `))
}

/** What is out was to go out: with the last text, on its page, not before its time, and once. */
export async function checkPublished(run: Run): Promise<void> {
  const all = run.artists.flatMap(({ posts }) =>
    posts.flatMap((post) => post.targets.map((target) => ({ target, pictures: post.mediaIds.length }))),
  )
  const list = await published(run)
  const says = ({ begun }: Target, text: string) => begun.some(({ message }) => message === text)
  for (const { text, pageId, at, media } of list) {
    // A copy of a post says the same.
    const found = all.filter(({ target }) => target.pageId === pageId && says(target, text))
    check(found.length > 0, 'published, although it should not be:', text, pageId, at)
    const dues = found.flatMap(({ target }) => target.begun.filter(({ message }) => message === text))
    check(
      dues.some(({ dueAt }) => Date.parse(at) >= dueAt - 50),
      text,
      'was published at',
      at,
      'before',
      dues,
    )
    check(
      found.some(({ pictures }) => pictures === media.length),
      text,
      'has',
      media.length,
      'pictures',
    )
  }
  for (const { target } of all) {
    const same = all.filter(
      (one) => one.target.pageId === target.pageId && target.begun.some(({ message }) => says(one.target, message)),
    )
    const copies = list.filter(({ text, pageId }) => pageId === target.pageId && says(target, text)).length
    const posted = same.filter((one) => one.target.state === 'posted').length
    // An unclear target may be out, and so may one that was sent again after it was unclear.
    const hasFailed = ({ state, unclear, sends }: Target) => state === 'failed' && !unclear && sends === 1
    const most = same.reduce((sum, one) => sum + (hasFailed(one.target) ? 0 : one.target.sends), 0)
    check(
      target.begun.length === 0 || (copies >= posted && copies <= most),
      target.key,
      'is out',
      copies,
      'times:',
      target,
    )
  }
}

type NoticeRow = { kind: string; title: string; text: string; link: string; at: number }

/** Every outcome was reported, and no more often than it happened. `isMailed`: each reported failure has its mail. */
export async function checkNotices(run: Run): Promise<void> {
  const { sql } = run.world.app.client
  for (const [which, artist] of run.artists.entries()) {
    const owner = run.people[which]!.client.id
    const notices =
      (await sql`select kind, title, text, link, (extract(epoch from created_at) * 1000)::float8 as at from notices where user_id = ${owner} order by created_at`) as unknown as NoticeRow[]
    const rows = await readRows(run, which)
    for (const post of artist.posts.filter((one) => !one.isDeleted)) {
      const row = rows.get(storedRequestId(run, post))
      check(row !== undefined, post.key, 'is gone')
      const own = notices.filter(({ link }) => link === `/scheduled-posts?post=${row.id}`)
      const failures = own.filter(({ kind }) => kind === 'post_failed')
      const status = model.statusOf(post)
      check(row.status === status, post.key, 'is', row.status, 'not', status)
      const failed = row.targets.filter(({ phase }) => phase === 'failed')
      if (status === 'failed')
        check(
          failures.some(({ text }) => failed.every((one) => text.includes(one.pageName))),
          post.key,
          'failed without a notice:',
          row.errorMessage,
          failures,
        )
      if (status === 'posted')
        check(
          own.some(({ kind }) => kind === 'post_posted'),
          post.key,
          'is posted without a notice',
        )
      check(
        own.filter(({ kind }) => kind === 'post_posted').length <= 1 + post.reopened,
        post.key,
        'is reported as posted several times',
      )
      for (const { text } of failures)
        check(
          failures.filter((one) => one.text === text).length <= 1 + post.reopened,
          post.key,
          'reports a failure several times:',
          text,
        )
      for (const target of row.targets.filter(({ awaits }) => awaits))
        check(
          notices.some(({ kind, title }) => kind === 'account_reconnect' && title.includes(target.pageName)),
          post.key,
          'waits for its account without a notice',
        )
    }
    const mails =
      (await sql`select count(*)::int as n from mails where "to" = ${run.people[which]!.client.email}`) as unknown as {
        n: number
      }[]
    const mailed = notices.filter(({ kind }) => kind === 'post_failed' || kind === 'account_reconnect').length
    check(mails[0]!.n === mailed, `${mails[0]!.n} mails for ${mailed} notices`)
  }
}
