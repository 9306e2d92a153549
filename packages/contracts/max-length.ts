import { z } from 'zod'

/**
 * At most so many characters, counted in UTF-16 units: as the counters on screen and TikTok count them, and never fewer than any network.
 * The library's own `max` takes an emoji of two units, or of ten, for less.
 */
export const atMost = (most: number, message: string) =>
  z.refine<string>((text) => text.length <= most, { error: message })

/** Text of at most `most` characters without blanks around it, and a sentence each for nothing and too much. */
export const requiredText = (missing: string, most: number, tooLong: string) =>
  z.string({ error: missing }).trim().min(1, missing).max(most, tooLong)
