import { isDeepStrictEqual } from 'node:util'
import { neverDue, queueLimits } from '@flashsheet/contracts/queue/limits'
import { queueMessages } from '@flashsheet/contracts/queue/messages'
import type {
  FreeSlot,
  NextSlotsInput,
  Queue,
  QueuePage,
  SaveQueueInput,
  SlotFor,
  SlotForInput,
} from '@flashsheet/contracts/queue/schema'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Tx } from '@flashsheet/db/client'
import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import type { SubscriberCtx } from '../../../core/context.ts'
import { conflict, full, invalid } from '../../../core/errors.ts'
import { connectedPages } from '../../social/service/accounts.ts'
import { countWaiting, findQueue, listReservedSlots, lockQueue, setQueue, type QueueRow } from '../queries/queue.ts'
import { connectedSlots, firstFree, pageKey, slotKey, slotsAfter } from '../rules/slots.ts'
import { pauseQueue, resumeQueue } from './pause-queue.ts'

/** The artist's queue (`GET /api/queue`); at first without slots. */
export async function getQueue(ctx: SubscriberCtx): Promise<Queue> {
  const row = await findQueue(ctx.db, ctx.owner)
  return queueView(ctx, row, await ownPages(ctx, ctx.db))
}

/**
 * Changes the queue. Queued posts keep their slots. When a paused queue is resumed, posts that have missed their slot take the next free one.
 * Throws invalid for pages that are not the artist's, and conflict when there is no slot for a waiting post, or with the `current` queue when
 * it has other slots than `previousSlots`. A repeated save succeeds.
 */
export async function saveQueue(ctx: SubscriberCtx, input: SaveQueueInput): Promise<Queue> {
  return await retryOnDeadlock(ctx.db, async (tx) => {
    const now = ctx.now()
    const before = await lockQueue(tx, ctx.owner, now)
    const own = await ownPages(ctx, tx)
    const keys = new Set(own.map(pageKey))
    if (input.slots?.some(({ pages }) => pages?.some((page) => !keys.has(pageKey(page)))))
      throw invalid(postMessages.pageUnknown, { slots: postMessages.pageUnknown })
    const { timeZone, previousSlots } = input
    const isStored = (slots: Queue['slots']) =>
      isDeepStrictEqual(connectedSlots(slots, own), connectedSlots(before.slots, own))
    if (previousSlots && !isStored(previousSlots) && !(input.slots && isStored(input.slots)))
      throw conflict(queueMessages.stale, { current: queueView(ctx, before, own) })
    const row: QueueRow = {
      // Null follows the artist's own time zone when it changes.
      timeZone: timeZone === undefined ? before.timeZone : timeZone === ctx.user.timeZone ? null : timeZone,
      paused: input.paused ?? before.paused,
      slots: input.slots ?? before.slots,
    }
    await setQueue(tx, ctx.owner, row, now)
    const queue = queueView(ctx, row, own)
    if (queue.paused && !before.paused) await pauseQueue(ctx, tx, now)
    if (!queue.paused && before.paused) await resumeQueue(ctx, tx, queue, await takenPlaces(ctx, tx, now), now)
    return queue
  })
}

/** The next slots that are free for at least one page, each with its free pages (`GET /api/queue/next`). */
export async function nextSlots(ctx: SubscriberCtx, { count }: NextSlotsInput): Promise<FreeSlot[]> {
  const now = ctx.now()
  const own = await ownPages(ctx, ctx.db)
  const queue = queueView(ctx, await findQueue(ctx.db, ctx.owner), own)
  const taken = await takenPlaces(ctx, ctx.db, now)
  const free: FreeSlot[] = []
  for (const slot of slotsAfter(queue.slots, queue.timeZone, now)) {
    const pages = (slot.pages ?? own).filter((page) => !taken.has(slotKey(page, slot.at)))
    if (pages.length > 0) free.push({ at: slot.at.toISOString(), pages })
    if (free.length === count) break
  }
  return free
}

/** The slot that a post to these pages would take now. */
export async function slotFor(ctx: SubscriberCtx, { pages }: SlotForInput): Promise<SlotFor> {
  const now = ctx.now()
  const queue = await getQueue(ctx)
  const taken = await takenPlaces(ctx, ctx.db, now)
  const at = firstFree(slotsAfter(queue.slots, queue.timeZone, now), pages, taken)
  return { hasSlots: queue.slots.length > 0, paused: queue.paused, at: at?.toISOString() ?? null }
}

/** Takes the next slot free for all of these pages. Throws conflict if none takes them all, full if none is free or too many posts wait. */
export async function reserveSlot(
  ctx: SubscriberCtx,
  tx: Tx,
  pages: readonly QueuePage[],
): Promise<{ slotAt: Date; dueAt: Date }> {
  const now = ctx.now()
  const queue = queueView(ctx, await lockQueue(tx, ctx.owner, now), await ownPages(ctx, tx))
  if ((await countWaiting(tx, ctx.owner)) >= queueLimits.waitingMax) throw full(queueMessages.full)
  const slots = () => slotsAfter(queue.slots, queue.timeZone, now)
  const slotAt = firstFree(slots(), pages, await takenPlaces(ctx, tx, now))
  if (slotAt) return { slotAt, dueAt: queue.paused ? neverDue : slotAt }
  throw firstFree(slots(), pages, new Set()) ? full(queueMessages.full) : conflict(queueMessages.noSlots)
}

async function ownPages(ctx: SubscriberCtx, db: Tx): Promise<QueuePage[]> {
  return (await connectedPages(db, ctx.owner)).map(({ accountId, pageId }) => ({ socialAccountId: accountId, pageId }))
}

async function takenPlaces(ctx: SubscriberCtx, db: Tx, after: Date): Promise<Set<string>> {
  const taken = await listReservedSlots(db, ctx.owner, after)
  return new Set(taken.map((place) => slotKey(place, place.slotAt)))
}

function queueView(ctx: SubscriberCtx, row: QueueRow | undefined, own: readonly QueuePage[]): Queue {
  return {
    timeZone: row?.timeZone ?? ctx.user.timeZone,
    paused: row?.paused ?? false,
    slots: connectedSlots(row?.slots ?? [], own),
  }
}
