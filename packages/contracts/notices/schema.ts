import { z } from 'zod'
import { Email, Name } from '../auth/schema.ts'
import { instantInput } from '../instant.ts'
import { atMost } from '../max-length.ts'
import { contactLimits, type NoticeKind, noticeKinds } from './limits.ts'
import { noticeMessages } from './messages.ts'

export type Notice = {
  _id: string
  kind: NoticeKind
  title: string
  text: string
  /** Same-origin path to go to. */
  link: string
  action: string
  createdAt: string
  readAt: string | null
}

/** The newest notices, and how many of all notices are unread. */
export type NoticeList = { unread: number; notices: Notice[] }

export const NoticeIds = z.object({ ids: z.array(z.uuid()).min(1).max(200) })
export type NoticeIds = z.infer<typeof NoticeIds>

/** Marks notices as read up to the newest one that was displayed; later ones stay unread. */
export const NoticesUntil = z.object({ until: instantInput() })
export type NoticesUntil = z.infer<typeof NoticesUntil>

/** Which kinds come by mail. */
export const NoticeMails = z.record(z.enum(noticeKinds), z.boolean())
export type NoticeMails = z.infer<typeof NoticeMails>

export const NoticeMailChoice = z.object({ kind: z.enum(noticeKinds), mail: z.boolean() })
export type NoticeMailChoice = z.infer<typeof NoticeMailChoice>

/** A message to the people behind the product. */
export const ContactInput = z.object({
  name: Name,
  email: Email,
  message: z
    .string({ error: noticeMessages.messageRequired })
    .trim()
    .min(1, noticeMessages.messageRequired)
    .check(atMost(contactLimits.messageMax, noticeMessages.messageTooLong)),
  /** The honeypot: people do not see this field, and programs often fill it in. */
  honeypot: z.string().max(500).optional(),
})
export type ContactInput = z.infer<typeof ContactInput>
