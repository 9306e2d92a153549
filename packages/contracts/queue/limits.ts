export const queueLimits = {
  /** Weekly slots; each is one time on some days. */
  slotsMax: 50,
  /** Queued posts of one artist. */
  waitingMax: 500,
  /** How far ahead a free slot is searched. */
  horizonDays: 366,
  nextMax: 50,
} as const

/** In place of an instant: the next free slot that takes all pages of the post. */
export const nextSlot = 'next-slot'

/** The states of a queued post. */
export const queueStates = ['placed', 'paused'] as const

/** The due time of a paused target, which no claim, alarm or sweep ever reaches; its slot is stored in `queue_places`. */
export const neverDue = new Date('9999-12-31T00:00:00.000Z')
