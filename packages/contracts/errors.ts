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
] as const
export type ForbiddenCode = (typeof forbiddenCodes)[number]

/** What every refused request answers, at both doors. */
export const ErrorBody = z.object({
  message: z.string(),
  code: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
})
export type ErrorBody = z.infer<typeof ErrorBody>

export const errorMessages = {
  unknown: 'Something went wrong',
  unauthenticated: 'Please log in to continue.',
  unverified: 'Please verify your email address first.',
  noSubscription: 'You need an active subscription to access the dashboard and premium features.',
  plan: 'Your plan does not include this. Upgrade to Complete Shading to use it.',
  deactivated: 'Your account has been deactivated. Please contact an administrator.',
  leaving: 'This account is about to be deleted. Log in and keep it to go on.',
  admin: "You don't have permission to access this page. Admin privileges are required.",
  origin: 'This request did not come from the app.',
  notFound: 'Not found',
  jsonOnly: 'Please send JSON, as Content-Type: application/json.',
  malformed: 'The request could not be read.',
  tooMany: 'Too many tries. Please wait a little and try again.',
  tooLarge: 'The request is too large.',
  tooSlow: 'The request did not arrive in time. Please try again.',
  unavailable: 'Flashsheet is away for a moment and comes back by itself. Please try again shortly.',
  addressTooLong: 'This address is too long.',
  batchTooLong: 'This asks for too many things at once. Please ask for 20 at most.',
  noRoom: 'There is no room for new files just now. What is there is safe, and we are making room.',
  storageAway: 'The file storage is away for a moment and comes back by itself. Please try again shortly.',
  shuttingDown: 'The server is restarting. Please try again in a moment.',
} as const
