/** What a notice is about; each links to one thing the artist can do. */
export const noticeKinds = [
  'post_failed',
  'account_reconnect',
  'appointment',
  'billing',
  'post_posted',
  'post_waiting',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/**
 * Whether a kind comes by mail too: `on` and `off` are what holds until the artist chooses; `always` is what nobody may
 * miss, and is mailed by its slice in words of its own. The bell shows every kind.
 */
export const noticeMailDefaults = {
  post_failed: 'on',
  account_reconnect: 'on',
  appointment: 'on',
  billing: 'always',
  post_posted: 'off',
  post_waiting: 'off',
} as const satisfies Record<NoticeKind, 'on' | 'off' | 'always'>

/** Each kind in Settings. */
export const noticeKindWords: Record<NoticeKind, { title: string; note: string }> = {
  post_failed: { title: 'A post failed', note: 'With the reason of each page, and a link to the post.' },
  account_reconnect: {
    title: 'An account needs you',
    note: 'When a network no longer lets us in and you have to connect again.',
  },
  appointment: { title: 'Appointments', note: 'When somebody asks for a time, moves one or cancels.' },
  billing: { title: 'Payments', note: 'Receipts, and what needs you to keep the plan. These are always sent.' },
  post_posted: { title: 'A post is out', note: 'One email for each post.' },
  post_waiting: {
    title: 'A post has to wait',
    note: "When a network's daily allowance is used up. It goes out by itself.",
  },
}

export const noticeMessages = {
  unswitchable: 'Emails about payments are always sent.',
  saveFailed: 'Failed to save your choice',
  readFailed: 'Failed to mark as read',
  loadFailed: 'Your notices could not be loaded',
  messageRequired: 'Please write your message.',
  messageTooLong: 'Message must be at most 5000 characters long',
  contactSent: 'Thank you. We answer by email, usually within two working days.',
  contactFailed: 'Failed to send your message',
  contactClosed: 'Messages cannot be sent right now.',
} as const

/** The bell shows this many, the newest. */
export const noticesShown = 100

export const contactLimits = { messageMax: 5000 } as const
