import { insert } from '../collection.ts'
import PostalMime from 'postal-mime'
import type { SandboxContext } from '../context.ts'

type Attachment = { name: string; type: string; bytes: number; blob: string; contentId: string }
export type StoredMail = {
  id: string
  to: string
  from: string
  subject: string
  text: string
  html: string
  links: string[]
  attachments: Attachment[]
  at: string
}

type MailState = { mails: Record<string, StoredMail>; count: { given: number } }

function mailState(sandbox: SandboxContext): MailState {
  return sandbox.state<MailState>('smtp', () => ({ mails: {}, count: { given: 0 } }))
}

/** Every mail that arrived, newest first. */
export function mails(sandbox: SandboxContext): StoredMail[] {
  return Object.values(mailState(sandbox).mails).toReversed()
}

export function mailById(sandbox: SandboxContext, id: string): StoredMail | undefined {
  return mailState(sandbox).mails[id]
}

/** Stores a raw message for the recipients of its envelope. */
export async function storeMail(
  sandbox: SandboxContext,
  envelope: { from: string; to: readonly string[] },
  raw: Uint8Array,
): Promise<StoredMail> {
  const parsed = await PostalMime.parse(raw, { attachmentEncoding: 'arraybuffer' })
  const attachments: Attachment[] = []
  for (const one of parsed.attachments) {
    const stored = await sandbox.storeBlob(bytesOf(one.mimeType, one.content))
    const name = one.filename ?? 'attachment'
    attachments.push({
      name,
      type: one.mimeType,
      bytes: stored.bytes,
      blob: stored.sha256,
      contentId: one.contentId?.replaceAll(/[<>]/g, '') ?? '',
    })
  }
  const state = mailState(sandbox)
  state.count.given += 1
  const [text, html] = [parsed.text ?? '', parsed.html ?? '']
  return insert(state.mails, {
    id: String(state.count.given),
    to: envelope.to.join(', '),
    from: parsed.from?.address ?? envelope.from,
    subject: parsed.subject ?? '',
    text,
    html,
    links: linksIn(html, text),
    attachments,
    at: new Date(sandbox.now()).toISOString(),
  })
}

/** The parser ends lines with LF; in mail and in saved files they end with CRLF. */
function bytesOf(type: string, content: ArrayBuffer | Uint8Array | string): Uint8Array {
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content))
  return type.startsWith('text/') ? Buffer.from(bytes.toString('latin1').replaceAll(/\r?\n/g, '\r\n'), 'latin1') : bytes
}

/** The http(s) links of a mail: those of the HTML part in order, then those that are only in the text. */
export function linksIn(html: string, text: string): string[] {
  const hrefs = [...html.matchAll(/<a\b[^>]*?\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)].map((match) =>
    unescaped(match[1] ?? match[2] ?? ''),
  )
  const plain = [...text.matchAll(/https?:\/\/[^\s<>"']+/g)].map((match) => match[0].replace(/[.,;:!?)\]]+$/, ''))
  return [...new Set([...hrefs, ...plain].map((one) => one.trim()).filter((one) => /^https?:\/\//i.test(one)))]
}

/** The characters that are escaped in an address, by name and by number. */
const entities = new Map(
  Object.entries({ amp: '&', quot: '"', lt: '<', gt: '>', '#39': "'", '#x27': "'", '#61': '=', '#x3d': '=' }),
)

function unescaped(text: string): string {
  return text.replaceAll(/&(#?\w+);/g, (whole, name: string) => entities.get(name.toLowerCase()) ?? whole)
}
