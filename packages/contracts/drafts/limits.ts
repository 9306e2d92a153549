import { nextSlot } from '../queue/limits.ts'

export const draftLimits = {
  perArtist: 200,
  /** UTF-16 units of the variants as JSON: more than any post that the composer makes, and little enough to list 200 of them. */
  variantsTextMax: 100_000,
} as const

/** What a draft is posted for, in place of an instant. */
export const draftTimes = ['now', nextSlot] as const
