import { z } from 'zod'

/** The kinds of refusal the product knows; `api/core/errors.ts` maps them to HTTP and tRPC. */
export const errorKinds = [
  'invalid',
  'unauthenticated',
  'forbidden',
  'notFound',
  'conflict',
  'full',
  'tooLarge',
  'tooMany',
  'upstream',
  'unavailable',
  'noRoom',
  'internal',
] as const
export type ErrorKind = (typeof errorKinds)[number]

/** Why a caller is forbidden, or the kind itself; the `code` of an error body. */
export const forbiddenCodes = [
  'unverified',
  'no_subscription',
  'plan',
  'deactivated',
  'leaving',
  'origin',
  'admin',
  'scope',
] as const
export type ForbiddenCode = (typeof forbiddenCodes)[number]

/** What every refused request answers, at both doors. */
export const ErrorBody = z.object({
  message: z.string(),
  code: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
})
export type ErrorBody = z.infer<typeof ErrorBody>
