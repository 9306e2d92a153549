/** What a notice is about; each links to one thing the artist can do. */
export const noticeKinds = [
  'post_failed',
  'account_reconnect',
  'appointment',
  'billing',
  'post_posted',
  'post_waiting',
  'webhook_disabled',
  'assistant_connected',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/**
 * Whether a kind is also sent by mail. `on` and `off` are defaults that the artist can change; `always` cannot be switched
 * off, and its slice sends its own mail. The bell shows every kind.
 */
export const noticeMailDefaults = {
  post_failed: 'on',
  account_reconnect: 'on',
  appointment: 'on',
  billing: 'always',
  post_posted: 'off',
  post_waiting: 'off',
  webhook_disabled: 'on',
  assistant_connected: 'always',
} as const satisfies Record<NoticeKind, 'on' | 'off' | 'always'>

/** The number of newest notices that the bell shows. */
export const maxNotices = 100

export const contactLimits = { messageMax: 5000 } as const
