import { z } from 'zod'

/** Something of the caller's, by its id. */
export const IdParam = z.object({ id: z.uuid() })
export type IdParam = z.infer<typeof IdParam>

/** Whatever is made, is made once per id, however often it is sent; REST callers send it as `Idempotency-Key`. */
export const requestId = z.string().min(1).max(200).optional()

/** A page of a list that answers at most `max` at a time; `cursor`: where the page before ended. */
export const pageInput = (max: number) => ({
  limit: z.coerce.number().int().min(1).max(max).default(max),
  cursor: z.string().max(200).optional(),
})
