import { keyLimits, type KeyScope } from './limits.ts'

/** Descriptions of the scopes, for artists who create a key. */
export const scopeLabels: Record<KeyScope, string> = {
  'posts:read': 'See posts and how they went',
  'posts:write': 'Make, change, publish and delete posts',
  'media:read': 'See the library and its files',
  'media:write': 'Add files to the library and delete them',
  'accounts:read': 'See connected accounts and their pages',
  'site:read': 'See the website and its gallery',
  'site:write': 'Change the website and its gallery',
  'bookings:read': 'See appointments, with names and contacts of clients',
  'bookings:write': 'Book, change and delete appointments',
  'numbers:read': 'See the numbers of posts',
}

export const keyMessages = {
  notValid: 'This API key is not valid.',
  missingScope: (scope: KeyScope) => `This API key may not do this. It needs the permission ${scope}.`,
  notForKeys: 'API keys cannot do this. Please log in to do it.',
  tooMany: 'This API key has made too many requests. Please wait a little and try again.',
  full: `You have ${keyLimits.keysPerArtist} API keys. Delete one to make another.`,
  nameRequired: 'Please give the key a name.',
  nameTooLong: `Please use at most ${keyLimits.nameMax} characters.`,
  scopesWrong: 'Please pick what the key may do.',
  loadFailed: 'Your API keys could not be loaded',
  createFailed: 'Failed to make the key',
  revoked: 'API key deleted',
  revokeFailed: 'Failed to delete the key',
  copied: 'API key copied',
  copyFailed: 'Failed to copy. Please select the key and copy it by hand.',
  expiryPast: 'Please pick a time in the future.',
} as const
