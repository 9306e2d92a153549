import type { Tx } from '@flashsheet/db/client'
import { isDatabaseUnavailable } from '@flashsheet/db/database-unavailable'
import {
  claimMail,
  deleteOldMails,
  insertMail,
  listEarlierMails,
  listUnsentMails,
  markMailSent,
  moveClaimEnd,
} from '@flashsheet/db/outbox'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { System } from './context.ts'
import { newId } from './ids.ts'
import { awaitedJobs, defineQueue, RetryLater } from './jobs.ts'
import { mailHtml, mailPlain, type MailText } from './mail-layout.ts'
import type { OwnerId } from './scope.ts'

export type { MailText }

/** The `reason` of mails about log-in and access, which cannot be switched off. */
export const securityReason = 'You are getting this email because it is about the security of your Flashsheet account.'

export const sendMailQueue = defineQueue('mail.send', z.object({ mailId: z.uuid() }), awaitedJobs)

/** One more try of a mail whose own job has given up. The hourly run queues the next try. */
export const retryMailQueue = defineQueue('mail.again', z.object({ mailId: z.uuid() }), { retryLimit: 0 })

/**
 * The mail is deleted with the account of `owner`, if there is one. Mails to one address `about` the same thing are sent in the
 * order in which they were queued.
 */
type MailRecipient = { to: string; owner: OwnerId | null; about?: string | undefined }

/** Stores a mail and the job that sends it, in the caller's transaction. */
export async function queueMail(
  system: System,
  tx: Tx,
  { to, owner, about }: MailRecipient,
  text: MailText,
): Promise<void> {
  const id = newId()
  await insertMail(tx, {
    id,
    userId: owner,
    to,
    ...(await mailContent(text)),
    calendar: text.calendar ?? null,
    replyTo: text.replyTo ?? null,
    about: about ?? null,
    createdAt: system.now(),
  })
  await system.jobs.send(tx, sendMailQueue, { mailId: id })
}

export async function mailContent(text: MailText): Promise<{ subject: string; text: string; html: string }> {
  return { subject: text.subject, text: mailPlain(text), html: await mailHtml(text) }
}

/** How long a claim outlives a process that died while sending. */
const claimMs = 3 * 60_000
const renewClaimEveryMs = 60_000

/**
 * Sends one stored mail, after the earlier ones to the same address about the same thing. Of concurrent calls one sends; the
 * others throw RetryLater. After a lost answer the mail is sent again with the same Message-ID: a mail may then arrive twice,
 * which is better than not at all.
 */
export async function sendStoredMail(system: System, mailId: string): Promise<void> {
  const from = new Date(system.now().getTime() - retryDays * 24 * hour)
  for (const earlier of await listEarlierMails(system.db, mailId, from)) {
    try {
      await send(system, earlier)
    } catch (error) {
      if (!isRefusedForGood(error)) throw error
    }
  }
  await send(system, mailId)
}

/** As `sendStoredMail`; a mail that the server refused for good is no failed job, since its own job has already failed. */
export async function retryStoredMail(system: System, mailId: string): Promise<void> {
  try {
    await sendStoredMail(system, mailId)
  } catch (error) {
    if (!isRefusedForGood(error)) throw error
    system.log.warn({ err: error, mailId }, 'the mail server refuses a mail')
  }
}

/** Whether the mail server refused the mail itself (RFC 5321: 5yz), so that the next one does not wait for it. */
const isRefusedForGood = (error: unknown) =>
  error instanceof Error && 'responseCode' in error && Number(error.responseCode) >= 500

/** Sends one stored mail and deletes its text. */
async function send(system: System, mailId: string): Promise<void> {
  const claimEnd = () => new Date(system.now().getTime() + claimMs)
  const claim = await claimMail(system.db, mailId, system.now(), claimEnd())
  if (claim.state === 'none') return
  if (claim.state === 'taken') throw new RetryLater('another process is sending this mail')
  const heartbeat = setInterval(() => {
    moveClaimEnd(system.db, mailId, claimEnd()).catch(() => {})
  }, renewClaimEveryMs)
  try {
    const sending = system.gateways.mail.send({ ...claim.mail, messageId: mailId })
    await sending.finally(() => clearInterval(heartbeat))
  } catch (error) {
    await moveClaimEnd(system.db, mailId, system.now())
    throw error
  }
  await recordSent(system, mailId)
}

const recordTries = 30
const longestPauseMs = 5000

/** Repeats the write while the database is unavailable, for about two minutes: the mail would be sent again otherwise. */
async function recordSent(system: System, mailId: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await markMailSent(system.db, mailId, system.now())
    } catch (error) {
      if (!isDatabaseUnavailable(error) || tries === recordTries) throw error
    }
    await sleep(Math.min(longestPauseMs, 100 * 2 ** tries))
  }
}

const hour = 60 * 60_000
/** By then the mail's own job has given up, or waits long for its next try. */
const retryAfterMs = hour
const retryDays = 3
/** Support may need sent mails this long. */
const retentionDays = 30
const maxRetriesPerRun = 5000

/**
 * Retries the unsent mails of the last three days once, and deletes old ones. Runs each hour, so no mail is lost while a mail
 * server is down for days.
 */
export async function retryStuckMails(system: System): Promise<void> {
  const now = system.now().getTime()
  const span = { from: new Date(now - retryDays * 24 * hour), to: new Date(now - retryAfterMs) }
  for (const mailId of await listUnsentMails(system.db, span, maxRetriesPerRun))
    await system.jobs.send(system.db, retryMailQueue, { mailId })
  await deleteOldMails(system.db, new Date(now - retentionDays * 24 * hour))
}
