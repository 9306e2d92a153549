import type { KeyScope } from '../keys/limits.ts'

/** What an assistant may ask for: the scopes that open a tool. */
export const assistantScopes = [
  'posts:read',
  'posts:write',
  'media:read',
  'media:write',
  'accounts:read',
  'site:read',
  'bookings:read',
] as const satisfies readonly KeyScope[]

/** The scopes of a request that names none: all but those for clients' names and contacts. */
export const usualAssistantScopes = [
  'posts:write',
  'media:write',
  'accounts:read',
] as const satisfies readonly KeyScope[]

export const assistantLimits = {
  grantsPerArtist: 20,
  nameMax: 100,
  addressMax: 2000,
  redirectsMax: 10,
  codeSeconds: 60,
  accessSeconds: 60 * 60,
  /** Since it was last used. */
  refreshDays: 30,
  /** For so long a used refresh token is taken again: the answer was lost, or two processes of a program used it at once. */
  refreshAgainSeconds: 30,
} as const
