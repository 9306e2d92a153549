import { z } from 'zod'

/** An id in a request. Programs may write a UUID in capitals (RFC 9562); ours are compared as text, in small letters. */
export const uuid = (error?: string) => z.uuid({ error }).toLowerCase()

/** The id of something that belongs to the caller. */
export const IdParam = z.object({ id: uuid() })
export type IdParam = z.infer<typeof IdParam>

/** The idempotency key: a request with the same id creates nothing twice. REST callers send it as `Idempotency-Key`. */
export const requestId = z.string().min(1).max(200).optional()

/** A page of a list with at most `max` entries; `cursor`: where the previous page ended. */
export const pageInput = (max: number) => ({
  limit: z.coerce.number().int().min(1).max(max).default(max),
  cursor: z.string().max(200).optional(),
})
