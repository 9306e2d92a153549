import { z } from 'zod'

/** The kinds of errors; `api/core/errors.ts` maps them to HTTP and tRPC. */
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

/** Why a caller is forbidden: the `code` of such an error body. For other kinds `code` may be the kind itself. */
export type ForbiddenCode =
  | 'unverified'
  | 'no_subscription'
  | 'plan'
  | 'deactivated'
  | 'leaving'
  | 'origin'
  | 'admin'
  | 'scope'

/** The body of every refusal, over REST and tRPC. */
export const ErrorBody = z.object({
  message: z.string(),
  code: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
})
export type ErrorBody = z.infer<typeof ErrorBody>
