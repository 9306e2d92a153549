import { z } from 'zod'

/** What a notice is about; each links to one thing the artist can do. */
export const noticeKinds = ['post_posted', 'post_failed', 'account_reconnect'] as const
export type NoticeKind = (typeof noticeKinds)[number]

export const Notice = z.object({
  _id: z.uuid(),
  kind: z.enum(noticeKinds),
  title: z.string(),
  text: z.string(),
  /** Same-origin path to go to. */
  link: z.string(),
  action: z.string(),
  createdAt: z.string(),
  readAt: z.string().nullable(),
})
export type Notice = z.infer<typeof Notice>

export const NoticeIds = z.object({ ids: z.array(z.uuid()).min(1).max(200) })
export type NoticeIds = z.infer<typeof NoticeIds>
