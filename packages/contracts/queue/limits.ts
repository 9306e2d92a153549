export const queueLimits = {
  /** Rules of the week, each of one time on some days. */
  slotsMax: 50,
  /** Posts of one artist that wait in the queue. */
  waitingMax: 500,
  /** How far ahead a free slot is looked for. */
  horizonDays: 366,
  nextMax: 50,
} as const

/** In place of an instant: the next free slot that takes all pages of the post. */
export const nextSlot = 'next-slot'

/** What the queue does with a post that waits in it. */
export const queueStates = ['placed', 'paused'] as const

/** When a paused target is due: its slot stands in its place in the queue, and no claim, alarm or sweep comes to it. */
export const neverDue = new Date('9999-12-31T00:00:00.000Z')
