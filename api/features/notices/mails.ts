import type { NoticeKind } from '@flashsheet/contracts/notices/limits'
import type { MailText } from '../../core/mail.ts'

/** The reason in the footer of a mail, by kind. */
const reasons: Record<NoticeKind, string> = {
  post_failed: 'a post of yours at Flashsheet failed',
  account_reconnect: 'Flashsheet can no longer post to an account of yours',
  appointment: 'something changed about your appointments at Flashsheet',
  billing: 'it is about the payments for your Flashsheet account',
  post_posted: 'you asked to be told when a post is out',
  post_waiting: 'you asked to be told when a post has to wait',
  webhook_disabled: 'a webhook endpoint of your Flashsheet account was switched off',
  assistant_connected: 'an assistant was connected to your Flashsheet account',
}

/** The mail of a notice, with the slice's paragraphs for mails if there are any, otherwise with the notice's text. */
export function noticeMail(
  name: string,
  notice: { kind: NoticeKind; title: string; text: string; link: string; action: string; mail?: readonly string[] },
  publicUrl: string,
): MailText {
  const settingsUrl = `${publicUrl}/settings`
  return {
    subject: notice.title,
    greeting: `Hi ${name},`,
    paragraphs: notice.mail ? [...notice.mail] : notice.text.split('\n').filter(Boolean),
    button: { label: notice.action, url: `${publicUrl}${notice.link}` },
    reason: `You are getting this email because ${reasons[notice.kind]}. Choose which emails you get here: ${settingsUrl}`,
    links: [settingsUrl],
  }
}

/** A message of the contact form, for support. */
export function contactMail(from: {
  name: string
  email: string
  message: string
  account: string | undefined
  isSuspectedSpam: boolean
}): MailText {
  const name = from.name.replaceAll(/\s+/g, ' ')
  return {
    subject: `${from.isSuspectedSpam ? 'Possible spam: message' : 'Message'} from ${name}`,
    greeting: `${name} <${from.email}> writes:`,
    paragraphs: from.message.split(/\r?\n/).filter((line) => line.trim() !== ''),
    replyTo: from.email,
    button: { label: `Answer ${name}`, url: `mailto:${encodeURIComponent(from.email).replaceAll('%40', '@')}` },
    reason: from.account
      ? `Sent with the contact form, signed in as ${from.account}.`
      : 'Sent with the contact form by somebody who is not signed in: name and address are as typed.',
  }
}
