export const postStatuses = ['scheduled', 'posted', 'failed'] as const
export type PostStatus = (typeof postStatuses)[number]

/** What Flashsheet takes for a page of any network; what a network takes less of: `networks` (contracts/networks.ts). */
export const postLimits = {
  /** UTF-16 units, as the counters count. */
  titleMax: 90,
  captionMax: 2200,
  /** Pages of at most five accounts; a plain upper bound for one request. */
  variantsMax: 100,
  /** Seconds a `scheduledAt` may lie in the past and still count as now (`POST /api/posts/schedule`). */
  pastGraceSeconds: 60,
  /** Hours after its time an unposted target fails as missed. */
  missedAfterHours: 24,
  listMax: 1000,
  /** Posts of a page that an artist picks theirs from, and how much of the words of each. */
  candidatesMax: 20,
  candidateWordsMax: 100,
  /** Posts in one answer of the calendar, which carries only what a calendar shows of each. */
  calendarMax: 5000,
  /** Posts that the library names beneath one of its items: the latest. */
  usesShown: 3,
} as const

/** The steps a target goes through. `held`: waits for the subscription. */
export const targetPhases = [
  'scheduled',
  'claimed',
  'preparing',
  'publishing',
  'unknown',
  'confirming',
  'posted',
  'failed',
] as const
export type TargetPhase = (typeof targetPhases)[number]

/** What a failed target can leave at its network: a draft, a video only its owner sees, or one in the owner's inbox. */
export const leftBehind = ['draft', 'private', 'inbox'] as const
export type LeftBehind = (typeof leftBehind)[number]

/** Why a network refused, or did not answer, by what is to be done about it. */
export const networkErrorClasses = ['retry', 'later', 'permanent', 'reconnect', 'config', 'unknown'] as const
export type NetworkErrorClass = (typeof networkErrorClasses)[number]

/** Characters of a title that a calendar gets. */
export const calendarTitleMax = 120
