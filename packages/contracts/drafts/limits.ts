import { nextSlot } from '../queue/limits.ts'

export const draftLimits = {
  perArtist: 200,
  /** UTF-16 units of the variants as JSON: more than any post needs, and small enough to list 200 drafts. */
  variantsTextMax: 100_000,
} as const

/** Times at which a draft can be posted, besides an instant. */
export const draftTimes = ['now', nextSlot] as const
