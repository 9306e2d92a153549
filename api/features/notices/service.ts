import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import type { Message } from '@flashsheet/contracts/auth/schema'
import { type NoticeKind, noticeMailDefaults, maxNotices } from '@flashsheet/contracts/notices/limits'
import { noticeMessages } from '@flashsheet/contracts/notices/messages'
import type {
  ContactInput,
  NoticeIds,
  NoticeList,
  NoticeMailChoice,
  NoticeMails,
  NoticesUntil,
} from '@flashsheet/contracts/notices/schema'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import { inBatches } from '../../core/batches.ts'
import type { RequestCtx, System, VerifiedCtx } from '../../core/context.ts'
import { invalid, upstream } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { consumeRateLimit } from '../../core/limits.ts'
import { coalescedHints } from '../../core/live.ts'
import { queueMail } from '../../core/mail.ts'
import { everyoneScope, ownerScope, type OwnerId } from '../../core/scope.ts'
import { retentionQueue } from './jobs.ts'
import { contactMail, noticeMail } from './mails.ts'
import {
  countUnread,
  deleteNotices,
  deleteOldNotices,
  findMailRecipient,
  insertNotice,
  listMailChoices,
  listNoticeRows,
  markNoticesRead,
  saveMailChoice,
} from './queries.ts'
import { isMailed, mailsOf } from './rules.ts'
import { noticeView } from './view.ts'

/** A notice for an artist: what happened, why, and what to do. */
export type ArtistNotice = {
  kind: NoticeKind
  /** Identifies the event: a second call with the same key does nothing. */
  dedupeKey: string
  title: string
  /** The reasons, one per line. */
  text: string
  /** A path of the app, e.g. `/scheduled-posts?post=…`. */
  link: string
  /** The text of the link. */
  action: string
  /** Paragraphs of the mail where they differ from `text`. */
  mail?: readonly string[]
  /** The thing whose state the mail tells (`queueMail`). */
  mailAbout?: string
}

/**
 * Notifies an artist in the caller's transaction: in the app, and by mail unless the artist switched off its kind. The
 * caller mails by itself with `mailed: false` and for kinds that are always mailed. Returns false if `dedupeKey` exists.
 */
export async function notifyArtist(
  system: System,
  tx: Tx,
  owner: OwnerId,
  notice: ArtistNotice,
  { mailed = true } = {},
): Promise<boolean> {
  const { mail: _mail, mailAbout: _mailAbout, ...content } = notice
  const id = newId()
  if (!(await insertNotice(tx, { ...content, id, userId: owner, createdAt: system.now() }))) return false
  await notifyLive(tx, { owner, topic: 'notices', id })
  if (mailed) await mailArtist(system, tx, owner, notice)
  return true
}

/** Queues the mail of a notice that the app already shows, unless the artist switched off its kind. */
export async function mailArtist(system: System, tx: Tx, owner: OwnerId, notice: Omit<ArtistNotice, 'dedupeKey'>) {
  const to = await findMailRecipient(tx, owner, notice.kind)
  if (!to || !isMailed(notice.kind, to.mail)) return
  const recipient = { to: to.email, owner, about: notice.mailAbout }
  await queueMail(system, tx, recipient, noticeMail(to.name, notice, system.config.publicUrl))
}

/** Deletes the notices about a thing that is deleted, with what they repeat of it, in the caller's transaction. */
export async function deleteNoticesAbout(tx: Tx, owner: OwnerId, { link }: Pick<ArtistNotice, 'link'>): Promise<void> {
  await deleteNotices(tx, owner, link)
  await notifyLive(tx, { owner, topic: 'notices' })
}

/** The artist's newest notices, and the number of all unread ones. */
export async function listNotices(ctx: VerifiedCtx): Promise<NoticeList> {
  const [rows, unread] = await Promise.all([
    listNoticeRows(ctx.db, ctx.owner, maxNotices),
    countUnread(ctx.db, ctx.owner),
  ])
  return { unread, notices: rows.map(noticeView) }
}

/** Yields the list at once and after each change, until `signal` aborts. */
export async function* watchNotices(ctx: VerifiedCtx, signal: AbortSignal): AsyncGenerator<NoticeList> {
  for await (const _change of coalescedHints(ctx.live, ctx.owner, 'notices', signal)) yield await listNotices(ctx)
}

/** Marks notices as read, by id or all up to an instant. Unknown and read ones are ignored. */
export async function markAsRead(ctx: VerifiedCtx, input: NoticeIds | NoticesUntil): Promise<NoticeList> {
  const which = 'ids' in input ? input : { until: new Date(input.until) }
  await retryOnDeadlock(ctx.db, async (tx) => {
    await markNoticesRead(tx, ctx.owner, which, ctx.now())
    await notifyLive(tx, { owner: ctx.owner, topic: 'notices' })
  })
  return await listNotices(ctx)
}

/** Which kinds of notices are mailed to the artist. */
export async function getNoticeMails(ctx: VerifiedCtx): Promise<NoticeMails> {
  return mailsOf(await listMailChoices(ctx.db, ctx.owner))
}

/** Switches the mails of one kind on or off. Throws invalid for a kind that is always mailed. */
export async function setNoticeMail(ctx: VerifiedCtx, input: NoticeMailChoice): Promise<NoticeMails> {
  if (noticeMailDefaults[input.kind] === 'always') throw invalid(noticeMessages.unswitchable)
  await saveMailChoice(ctx.db, ctx.owner, input)
  return await getNoticeMails(ctx)
}

/**
 * Mails a message to support through the outbox. The sender gets no copy; otherwise the form could send mail to anybody.
 * A message with a filled-in honeypot is marked and not dropped, since a password manager may have filled it in. Throws
 * tooMany, and upstream where this installation has no mail.
 */
export async function sendContactMessage(ctx: RequestCtx, input: ContactInput): Promise<Message> {
  const { supportEmail } = ctx.config
  if (!supportEmail || !ctx.config.mail) throw upstream(noticeMessages.contactClosed)
  await consumeRateLimit(ctx, 'contactsPerIp', ctx.ip)
  await consumeRateLimit(ctx, 'contactsPerAddress', input.email)
  const user = ctx.caller?.user
  const owner = user ? ownerScope(user.id) : null
  const text = contactMail({ ...input, account: user?.email, isSuspectedSpam: Boolean(input.honeypot) })
  await ctx.db.transaction(async (tx) => await queueMail(ctx, tx, { to: supportEmail, owner }, text))
  return { message: noticeMessages.contactSent }
}

const retentionDays = 180
const noticesPerBatch = 1000

/** Deletes expired notices, read or not, in batches. If the worker stops, another job continues. */
export async function deleteExpiredNotices(system: System, stopping: AbortSignal): Promise<void> {
  const before = new Date(system.now().getTime() - retentionDays * 86_400_000)
  const isMore = await inBatches(
    stopping,
    async () => (await deleteOldNotices(system.db, everyoneScope(), before, noticesPerBatch)) === noticesPerBatch,
  )
  if (isMore) await system.jobs.send(system.db, retentionQueue, {})
}
