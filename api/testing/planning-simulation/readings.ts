import { calendarPost } from '@flashsheet/contracts/posts/rules'
import type { Draft } from '@flashsheet/contracts/drafts/schema'
import type { Post } from '@flashsheet/contracts/posts/schema'
import type { FreeSlot, Queue } from '@flashsheet/contracts/queue/schema'
import { check } from './checks.ts'
import * as model from './model.ts'
import { day } from './model.ts'
import { allPages, type Run, wirePage } from './operations.ts'

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
const iso = (at: number) => new Date(at).toISOString()

/** Compares what the artist's screens, programs and assistant read with the model, and with each other. */
export async function readAsEverybody(run: Run, which: number): Promise<void> {
  const { random, people, artists, ids, world } = run
  const [{ client, program, assistant }, artist] = [people[which]!, artists[which]!]
  const by = random.oneIn(2) ? client : program
  if (!artist.isPaying) {
    for (const path of ['/api/posts', '/api/drafts', '/api/queue']) {
      const { status } = await by.get(path)
      check(status === 403, path, 'answers', status, 'without a subscription')
    }
    return
  }
  const { body: list } = await by.get<Post[]>('/api/posts')
  const posts = artist.posts.filter((one) => !one.isDeleted)
  const shown = list.map(({ _id, status, scheduledAt, queue, variants }) => {
    return [
      _id,
      status,
      scheduledAt,
      queue,
      variants.map(({ _id: id, status: one }) => `${id} ${one}`).toSorted(),
    ].join()
  })
  const expected = posts.map((post) => {
    const status = model.statusOf(post)
    const queue = status === 'scheduled' ? model.queueOf(post) : undefined
    const targets = post.targets.map(
      ({ key, state }) => `${ids.get(key)} ${state === 'waits' || state === 'begun' ? 'scheduled' : state}`,
    )
    return [ids.get(post.key), status, iso(post.scheduledAt), queue, targets.toSorted()].join()
  })
  check(isSame(shown.toSorted(), expected.toSorted()), 'the artist reads', shown, 'not', expected)
  check(isSame(await client.trpc.posts.list.query({}), list), 'screens and programs read different posts')
  const [from, to] = [world.now() - 2 * day, world.now() + 2 * day]
  const at = (post: Post) => Date.parse(post.status === 'scheduled' ? post.scheduledAt : post.updatedAt)
  const calendar = await client.trpc.posts.calendar.query({ from: iso(from), to: iso(to) })
  const inRange = list.filter((post) => at(post) >= from && at(post) < to).map(calendarPost)
  const byId = (one: { _id: string }, other: { _id: string }) => (one._id < other._id ? -1 : 1)
  check(isSame(calendar.toSorted(byId), inRange.toSorted(byId)), 'the calendar shows', calendar, 'not', inRange)
  const [post] = list
  if (post) {
    const { answer } = await assistant.call<{ post: Post }>('get_post', { postId: post._id })
    check(isSame(answer.post, post), 'the assistant reads', answer.post, 'not', post)
  }
  const { body: drafts } = await by.get<Draft[]>('/api/drafts')
  const stored = drafts.map(({ _id, version, variants }) =>
    [_id, version, variants.map(({ message }) => message)].join(),
  )
  const kept = artist.drafts
    .filter((one) => !one.isDeleted)
    .map(({ key, version, words }) => [ids.get(key), version, words.map(({ message }) => message)].join())
  check(isSame(stored.toSorted(), kept.toSorted()), 'the artist reads the drafts', stored, 'not', kept)

  const { body: queue } = await by.get<Queue>('/api/queue')
  check(
    queue.paused === artist.queue.isPaused && queue.timeZone === (artist.queue.zone ?? artist.zone),
    'the queue is',
    queue,
  )
  const { body: next } = await by.get<FreeSlot[]>('/api/queue/next?count=4')
  const pages = allPages(artist)
  const free = model.slotsAfter(artist, world.now()).flatMap(({ at: slotAt, takes }) => {
    const own = pages.filter((page) => takes(page) && model.isFree(artist, page, slotAt))
    return own.length === 0 ? [] : [{ at: iso(slotAt), pages: own.map(wirePage) }]
  })
  const sorted = (slots: readonly FreeSlot[]) =>
    slots.map(
      (slot) =>
        `${slot.at} ${slot.pages
          .map(({ socialAccountId, pageId }) => socialAccountId + pageId)
          .toSorted()
          .join()}`,
    )
  check(isSame(sorted(next), sorted(free.slice(0, 4))), 'the next free times are', next, 'not', free.slice(0, 4))
}
