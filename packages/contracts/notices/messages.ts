import { contactLimits, type NoticeKind } from './limits.ts'

/** The kinds in Settings. */
export const noticeKindTexts: Record<NoticeKind, { title: string; note: string }> = {
  post_failed: { title: 'A post failed', note: 'With the reason for each page, and a link to the post.' },
  account_reconnect: {
    title: 'An account needs to be reconnected',
    note: 'When a network no longer lets us in and you have to connect again.',
  },
  appointment: { title: 'Appointments', note: 'When somebody asks for a time, moves one or cancels.' },
  billing: { title: 'Payments', note: 'Receipts, and what you have to do to keep your plan. These are always sent.' },
  post_posted: { title: 'A post is out', note: 'One email for each post.' },
  post_waiting: {
    title: 'A post has to wait',
    note: "When a network's daily allowance is used up. It goes out by itself.",
  },
  webhook_disabled: {
    title: 'A webhook was switched off',
    note: 'When your server stops accepting our calls.',
  },
  assistant_connected: {
    title: 'An assistant was connected',
    note: 'With what it may do for you, and where to disconnect it. These are always sent.',
  },
}

export const noticeMessages = {
  unswitchable: 'Emails about payments and the safety of your account are always sent.',
  saveFailed: 'Failed to save your choice',
  readFailed: 'Failed to mark as read',
  loadFailed: 'Your notices could not be loaded',
  messageRequired: 'Please write your message.',
  messageTooLong: `Message must be at most ${contactLimits.messageMax} characters long`,
  contactSent: 'Thank you. We answer by email, usually within two working days.',
  contactFailed: 'Failed to send your message',
  contactClosed: 'Messages cannot be sent right now.',
} as const
