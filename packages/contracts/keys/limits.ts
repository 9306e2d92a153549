/** The permissions of an API key. `write` includes `read`. */
export const keyScopes = [
  'posts:read',
  'posts:write',
  'media:read',
  'media:write',
  'accounts:read',
  'site:read',
  'site:write',
  'bookings:read',
  'bookings:write',
  'numbers:read',
] as const
export type KeyScope = (typeof keyScopes)[number]

export const keyLimits = {
  keysPerArtist: 20,
  nameMax: 80,
  /** Per `windowSeconds`. */
  requests: 600,
  creatingRequests: 60,
  windowSeconds: 60,
} as const
