import type { MailText } from '../../core/mail.ts'

/** Tells an artist that a post did not reach some of its pages; `reasons` has one line a page. */
export function postFailedMail(name: string, title: string, reasons: readonly string[], url: string): MailText {
  return {
    subject: 'A post could not be published everywhere',
    greeting: `Hi ${name},`,
    paragraphs: [`“${shortened(title)}” did not reach every page:`, ...reasons],
    button: { label: 'See the post', url },
    reason: 'You get this mail because a post of yours at Flashsheet failed.',
  }
}

function shortened(title: string): string {
  const [line = ''] = title.split('\n')
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}
