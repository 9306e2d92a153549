import type { KeyScope } from '../keys/limits.ts'

/** The scopes that an assistant may request: those that open a tool. */
export const assistantScopes = [
  'posts:read',
  'posts:write',
  'media:read',
  'media:write',
  'accounts:read',
  'site:read',
  'bookings:read',
] as const satisfies readonly KeyScope[]

/** The scopes of a request without any: all except those for clients' names and contacts. */
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
  /** Days since its last use. */
  refreshDays: 30,
  /** A used refresh token is accepted this long: its answer was lost, or two processes of a program used it at once. */
  refreshAgainSeconds: 30,
} as const
