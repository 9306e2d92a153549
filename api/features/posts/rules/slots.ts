import type { Queue, QueuePage } from '@flashsheet/contracts/queue/schema'
import { queueLimits } from '@flashsheet/contracts/queue/limits'
import { Temporal } from 'temporal-polyfill'

/** A slot of the queue; `pages` undefined: any page. */
export type Slot = { at: Date; pages: readonly QueuePage[] | undefined }

export const pageKey = (page: QueuePage): string => `${page.socialAccountId} ${page.pageId}`

/**
 * The slots of a queue after `after`, in order, up to a year ahead. A wall time that a clock change skips moves forward; of a repeated one
 * the first is taken. Two rules for the same instant make one slot.
 */
export function* slotsAfter(slots: Queue['slots'], timeZone: string, after: Date): Generator<Slot> {
  const today = Temporal.Instant.fromEpochMilliseconds(after.getTime()).toZonedDateTimeISO(timeZone).toPlainDate()
  let last = after.getTime()
  for (let ahead = 0; ahead <= queueLimits.horizonDays && slots.length > 0; ahead += 1) {
    const day = today.add({ days: ahead })
    const moments = new Map<number, readonly QueuePage[] | undefined>()
    for (const { days, time, pages } of slots) {
      if (!days.includes(day.dayOfWeek)) continue
      const at = day.toZonedDateTime({ timeZone, plainTime: time }).epochMilliseconds
      const earlier = moments.get(at)
      moments.set(at, moments.has(at) ? earlier && pages && [...earlier, ...pages] : pages)
    }
    for (const [at, pages] of [...moments].toSorted(([one], [other]) => one - other)) {
      if (at <= last) continue
      last = at
      // Two rules for one instant may name the same page.
      const named = pages && [...new Map(pages.map((page) => [pageKey(page), page])).values()]
      yield { at: new Date(at), pages: named }
    }
  }
}

/** The key of a place: a page at an instant. */
export const slotKey = (page: QueuePage, at: Date): string => `${pageKey(page)} ${at.getTime()}`

/** The first slot that takes all of these pages and is free for each. */
export function firstFree(
  slots: Iterable<Slot>,
  pages: readonly QueuePage[],
  taken: ReadonlySet<string>,
): Date | undefined {
  for (const slot of slots) {
    const takes = slot.pages && new Set(slot.pages.map(pageKey))
    if (pages.every((page) => (takes?.has(pageKey(page)) ?? true) && !taken.has(slotKey(page, slot.at)))) return slot.at
  }
  return undefined
}

/** The rules without pages that are not connected; a rule with no page left is dropped. */
export function connectedSlots(slots: Queue['slots'], connected: readonly QueuePage[]): Queue['slots'] {
  const keys = new Set(connected.map(pageKey))
  return slots.flatMap(({ pages, ...slot }) => {
    const left = pages?.filter((page) => keys.has(pageKey(page)))
    return left === undefined ? [slot] : left.length === 0 ? [] : [{ ...slot, pages: left }]
  })
}
