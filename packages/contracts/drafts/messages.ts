import { draftLimits } from './limits.ts'

export const draftMessages = {
  full: `You have ${draftLimits.perArtist} drafts, the maximum. Please post or delete some.`,
  tooLong: 'This draft has more text than we can keep. Please pick fewer pages, or shorten the captions.',
  stale: 'This draft was changed somewhere else in the meantime. Please look at it again.',
  versionRequired: 'Please send the version of the draft that you have read.',
  requestReused: 'This request was already used for another draft.',
  whenRequired: 'Please choose now, next-slot, or a time such as 2026-05-04T15:00:00Z.',
  gone: 'This draft was posted or deleted somewhere else.',
  saved: 'Draft saved.',
  firstTimeOnly: 'A draft keeps only one time. The first one was saved.',
  saveFailed: 'The draft could not be saved',
  wordsNeedPage: 'Please pick a page first: the caption is saved with its page.',
  loggedOut: 'You were logged out before this could be saved. It is still here.',
  loadFailed: 'Your drafts could not be loaded',
  openFailed: 'The draft could not be opened',
  deleted: 'Draft deleted.',
  deleteFailed: 'The draft could not be deleted',
  restored: 'Draft restored.',
  restoreFailed: 'The draft could not be restored',
} as const
