import { z } from 'zod'

/** The kinds of refusal the product knows; `api/core/errors.ts` maps them to HTTP and tRPC. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'full'
  | 'tooLarge'
  | 'tooMany'
  | 'upstream'
  | 'unavailable'
  | 'noRoom'
  | 'internal'

/** Why a caller is forbidden, or the kind itself; the `code` of an error body. */
export type ForbiddenCode =
  | 'unverified'
  | 'no_subscription'
  | 'plan'
  | 'deactivated'
  | 'leaving'
  | 'origin'
  | 'admin'
  | 'scope'

/** What every refused request answers, at both doors. */
export const ErrorBody = z.object({
  message: z.string(),
  code: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
})
export type ErrorBody = z.infer<typeof ErrorBody>
