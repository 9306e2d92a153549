import { postMessages } from '@flashsheet/contracts/posts/messages'
import {
  check,
  checkPublished,
  differenceOf,
  hasBegun,
  type PostRow,
  readRows,
  rowOf,
  type Span,
  storedRequestId,
} from './checks.ts'
import * as model from './model.ts'
import type { Answer, Artist, Post, Target } from './model.ts'
import type { Operation, Run, Sent } from './operations.ts'

export type Step = { operation: Operation; sent: Sent }

/** Finds an order of the operations, and of what workers did meanwhile, that explains answers and rows. */
export async function explain(
  run: Run,
  which: number,
  steps: readonly Step[],
  span: Span,
  withWorkers: boolean,
): Promise<void> {
  const rows = await readRows(run, which)
  const artist = run.artists[which]!
  const touched = new Set(steps.map(({ operation }) => operation.post))
  const start = structuredClone(artist)
  if (withWorkers) applyWork(run, start, rows, span, (post) => !touched.has(post.key))
  const differences: string[] = []
  const found = search(start, steps)
  check(
    found !== undefined,
    'no order of the model explains',
    steps.map(({ operation, sent }) => [operation.name, sent.status, sent.id]),
    ...differences,
    steps.map(({ sent }) => (sent.status >= 300 ? sent.body : '')),
  )
  run.artists[which] = found
  adopt(run, which, rows)

  function search(before: Artist, left: readonly Step[]): Artist | undefined {
    for (const state of withWorkers ? eventsBefore(before) : [before]) {
      if (left.length === 0) {
        // What was created or made due in this step may have begun too.
        if (withWorkers) applyWork(run, state, rows, span)
        const difference = differenceOf(run, state, rows, span)
        if (difference === undefined) return state
        if (differences.length < 4) differences.push(difference)
        continue
      }
      for (const [index, { operation, sent }] of left.entries()) {
        const others = left.toSpliced(index, 1)
        // A draft that is changed at the same moment is not posted.
        if (operation.mayConflict && sent.status === 409 && steps.length > 1) {
          const result = search(structuredClone(state), others)
          if (result) return result
        }
        // A time may pass while a busy machine answers.
        for (const now of [span.from, span.to]) {
          const after = structuredClone(state)
          const answer = operation.act(after, now)
          if (!fits(run, answer, sent)) {
            if (differences.length < 4) differences.push(`${operation.name} expects ${JSON.stringify(answer)}`)
            continue
          }
          const result = search(after, others)
          if (result) return result
        }
      }
    }
    return undefined
  }

  /** What workers may have done since: the states of the targets that the operations touch, in all combinations. */
  function* eventsBefore(before: Artist): Generator<Artist> {
    const open = startable(run, before, rows, span).filter(({ post }) => touched.has(post.key))
    const ending = before.posts.flatMap((post) =>
      touched.has(post.key) ? post.targets.filter(({ state }) => state === 'begun') : [],
    )
    const keys = [...open.map(({ target }) => target.key), ...ending.map(({ key }) => key)].slice(0, 5)
    for (let choice = 0; choice < 3 ** keys.length; choice++) {
      const state = choice === 0 ? before : structuredClone(before)
      for (const [index, key] of keys.entries()) {
        const kind = Math.floor(choice / 3 ** index) % 3
        const post = state.posts.find(({ targets }) => targets.some((one) => one.key === key))!
        const target = post.targets.find((one) => one.key === key)!
        if (kind > 0 && target.state === 'waits') model.begin(target)
        if (kind === 2) {
          const row = rowOf(rows.get(storedRequestId(run, post)), target)
          target.state = row?.phase === 'failed' ? 'failed' : 'posted'
        }
      }
      yield state
    }
  }
}

/** What is due may have begun, and what is held when it is due fails. */
function applyWork(
  run: Run,
  artist: Artist,
  rows: Map<string, PostRow>,
  span: Span,
  isMeant: (post: Post) => boolean = () => true,
): void {
  for (const { post, target } of startable(run, artist, rows, span)) if (isMeant(post)) model.begin(target)
  for (const post of artist.posts.filter((one) => !one.isDeleted && isMeant(one)))
    for (const target of post.targets.filter((one) => one.isHeld && one.state === 'waits' && one.dueAt <= span.to)) {
      const row = rowOf(rows.get(storedRequestId(run, post)), target)
      if (row?.errorMessage === postMessages.subscriptionEnded) fail(target, row.errorMessage, false)
    }
}

/** The targets that a worker may have begun. */
function startable(run: Run, artist: Artist, rows: Map<string, PostRow>, span: Span) {
  return artist.posts
    .filter((one) => !one.isDeleted)
    .flatMap((post) => post.targets.map((target) => ({ post, target })))
    .filter(({ post, target }) => {
      const stored = rows.get(storedRequestId(run, post))
      const row = rowOf(stored, target)
      const mayBegin = target.state === 'waits' && target.dueAt <= span.to + 50 && !target.isHeld
      return mayBegin && (stored === undefined || hasBegun(row))
    })
}

function fits({ ids }: Run, answer: Answer, sent: Sent): boolean {
  if (answer.status !== sent.status) return false
  const known = answer.id === undefined ? undefined : ids.get(answer.id)
  if (answer.id !== undefined && known === undefined && sent.id !== undefined) ids.set(answer.id, sent.id)
  return known === undefined || sent.id === undefined || known === sent.id
}

/** Takes over what the model leaves open: exact times, and what became of begun targets, which must have a cause. */
function adopt(run: Run, which: number, rows: Map<string, PostRow>): void {
  const artist = run.artists[which]!
  for (const post of artist.posts.filter((one) => !one.isDeleted)) {
    const row = rows.get(storedRequestId(run, post))!
    post.scheduledAt = row.scheduledAt
    run.ids.set(post.key, row.id)
    for (const target of post.targets) {
      const found = rowOf(row, target)!
      run.ids.set(target.key, found.id)
      target.isStripped = found.account === null
      check(!found.errorMessage?.includes(postMessages.failedFallback), target.key, 'had an internal error')
      target.dueAt = found.dueAt
      if (target.state !== 'begun') continue
      if (found.phase === 'posted') target.state = 'posted'
      else if (found.phase === 'failed') fail(target, found.errorMessage ?? '', found.unclear)
      else if (found.phase === 'scheduled')
        Object.assign(target, { state: 'waits', dueAt: found.dueAt, awaits: found.awaits, isHeld: found.held })
    }
  }
}

function fail(target: Target, message: string, unclear: boolean): void {
  check(message !== '', target.key, 'failed without a reason')
  target.state = 'failed'
  target.isHeld = false
  target.unclear = unclear
}

/** Compares what is stored after the workers have run. */
export async function compareAfterWork(run: Run, from: number): Promise<void> {
  const span = { from, to: run.world.now() }
  for (const [which, artist] of run.artists.entries()) {
    const rows = await readRows(run, which)
    applyWork(run, artist, rows, span)
    const difference = differenceOf(run, artist, rows, span)
    check(difference === undefined, 'after the workers', difference)
    adopt(run, which, rows)
  }
  await checkPublished(run)
}

/** The same without workers. */
export async function compare(run: Run, span: Span): Promise<void> {
  for (const [which, artist] of run.artists.entries()) {
    const rows = await readRows(run, which)
    const difference = differenceOf(run, artist, rows, span)
    check(difference === undefined, difference)
    adopt(run, which, rows)
  }
}
