import { z } from 'zod'

/** The database stores the years 1 to 9999. An offset can lead out of them. */
function isStorable(instant: string): boolean {
  const year = new Date(instant).getUTCFullYear()
  return year >= 1 && year <= 9999
}

/** An instant: `2026-12-01T10:00:00Z`, or with an offset. Seconds are optional. `error`: the message for any other text. */
export const instantInput = (error = 'Please send a time such as 2026-05-04T15:00:00Z.') =>
  z
    .union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })], { error })
    .refine(isStorable, { error })
