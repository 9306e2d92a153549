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
  webhook_disabled: 'on',
  assistant_connected: 'always',
} as const satisfies Record<NoticeKind, 'on' | 'off' | 'always'>

/** The bell shows this many, the newest. */
export const noticesShown = 100

export const contactLimits = { messageMax: 5000 } as const
