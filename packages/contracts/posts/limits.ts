export const postStatuses = ['scheduled', 'posted', 'failed'] as const
export type PostStatus = (typeof postStatuses)[number]

/** Limits of Flashsheet for a page of any network. Networks may have lower ones (`networks`, contracts/networks.ts). */
export const postLimits = {
  /** UTF-16 units, as the counters on screen count. */
  titleMax: 90,
  captionMax: 2200,
  /** An upper bound for one request: an artist has few accounts (`socialLimits`), each with several pages. */
  variantsMax: 100,
  /** Seconds a `scheduledAt` may lie in the past and still count as now (`POST /api/posts/schedule`). */
  pastGraceSeconds: 60,
  /** Hours after its time an unposted target fails as missed. */
  missedAfterHours: 24,
  listMax: 1000,
  /** Candidates from which an artist picks an unclear post, and the characters of the text of each. */
  candidatesMax: 20,
  candidateTextMax: 100,
  /** Posts in one answer of the calendar, which has only a summary of each. */
  calendarMax: 5000,
  /** The latest posts that the library lists below a media item. */
  usesShown: 3,
} as const

/** The steps that a target goes through. */
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

/** What a failed target can leave at its network: a draft, a private video, or a video in the owner's inbox. */
export const leftBehind = ['draft', 'private', 'inbox'] as const
export type LeftBehind = (typeof leftBehind)[number]

/** Errors of a network, classified by how they are handled. */
export const networkErrorClasses = ['retry', 'later', 'permanent', 'reconnect', 'config', 'unknown'] as const
export type NetworkErrorClass = (typeof networkErrorClasses)[number]

/** Characters of a title in the calendar. */
export const calendarTitleMax = 120
