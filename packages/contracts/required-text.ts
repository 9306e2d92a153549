import { z } from 'zod'

/** Text of at most `most` characters without blanks around it, and a sentence each for nothing and too much. */
export const requiredText = (missing: string, most: number, tooLong: string) =>
  z.string({ error: missing }).trim().min(1, missing).max(most, tooLong)
