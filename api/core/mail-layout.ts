import { html } from 'hono/html'
import { splitAtLinks, defuseLinks } from './defuse-links.ts'

/** The content of a mail. `reason` tells the recipient why it was sent. */
export type MailText = {
  subject: string
  greeting: string
  paragraphs: string[]
  /** Shown below the paragraphs, one on each line. */
  facts?: readonly { label: string; value: string }[]
  button?: { label: string; url: string }
  reason: string
  /** Our own addresses within the text. Only these become links, since strangers may have typed the rest. */
  links?: readonly string[]
  /** The Reply-To address; absent: replies go to the sender. */
  replyTo?: string
  /** An iCalendar file (RFC 5545). */
  calendar?: string
}

/** The plain-text part of a mail. */
export function mailPlain(text: MailText): string {
  const facts = text.facts ?? []
  const defused = (words: string) =>
    splitAtLinks(words, text.links ?? [])
      .map((part, index) => (index % 2 === 1 ? part : defuseLinks(part, { mail: 'kept' })))
      .join('')
  return [
    defused(text.greeting),
    ...text.paragraphs.map(defused),
    ...(facts.length > 0 ? [facts.map(({ label, value }) => `${label}: ${defused(value)}`).join('\n')] : []),
    ...(text.button ? [`${defused(text.button.label)}: ${text.button.url}`] : []),
    `--\n${defused(text.reason)}`,
  ].join('\n\n')
}

const sans =
  "font-family: 'Hanken Grotesk', -apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"

/** Escapes a text and turns the addresses in `links`, and no others, into links. */
function linked(text: string, links: readonly string[]) {
  return splitAtLinks(text, links).map((part, index) =>
    index % 2 === 1
      ? html`<a href="${part}" style="color: inherit; overflow-wrap: anywhere">${part}</a>`
      : defuseLinks(part),
  )
}

/**
 * The HTML part of a mail. It uses tables and inline styles, because many mail programs support nothing else, and no images,
 * which they block. The style sheet adds a dark theme and a full-width button on phones.
 */
export async function mailHtml(text: MailText): Promise<string> {
  const facts = text.facts ?? []
  const links = text.links ?? []
  const subject = defuseLinks(text.subject)
  return String(
    await html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="supported-color-schemes" content="light dark" />
    <meta name="format-detection" content="url=no, email=no" />
    <title>${subject}</title>
    <style>
      :root { color-scheme: light dark; supported-color-schemes: light dark; }
      @media (max-width: 480px) {
        .sheet { padding: 28px 22px !important; }
        .button { display: block !important; text-align: center !important; }
      }
      @media (prefers-color-scheme: dark) {
        .paper { background-color: #151210 !important; }
        .sheet { background-color: #1f1b18 !important; border-color: #38312b !important; border-top-color: #f2eadd !important; }
        .ink { color: #f2eadd !important; }
        .muted { color: #b0a494 !important; }
        .line { border-color: #38312b !important; }
        .button { background-color: #cc382d !important; }
        .stamp { color: #ff8a78 !important; }
      }
    </style>
  </head>
  <body class="paper" style="margin: 0; padding: 0; background-color: #f5f0e6; -webkit-text-size-adjust: 100%">
    <div style="display: none; max-height: 0; overflow: hidden">${defuseLinks(text.paragraphs[0] ?? '')}</div>
    <table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color: #f5f0e6">
      <tr>
        <td align="center" style="padding: 32px 16px 40px">
          <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width: 560px">
            <tr>
              <td class="ink" style="padding: 0 4px 14px; color: #1c1815; ${sans}; font-size: 19px; font-weight: 800; letter-spacing: -0.02em; line-height: 1">
                Flashsheet<span class="stamp" style="color: #b3241c">.</span>
              </td>
            </tr>
            <tr>
              <td class="sheet" style="padding: 36px 40px; background-color: #fffcf6; border: 1px solid #ddd4c4; border-top: 3px solid #1c1815; border-radius: 12px">
                <h1 class="ink" style="margin: 0 0 22px; color: #1c1815; ${sans}; font-size: 25px; font-weight: 750; letter-spacing: -0.015em; line-height: 1.2; overflow-wrap: anywhere">${subject}</h1>
                ${[text.greeting, ...text.paragraphs].map(
                  (paragraph) =>
                    html`<p class="ink" style="margin: 0 0 14px; color: #1c1815; ${sans}; font-size: 16px; line-height: 1.55; overflow-wrap: anywhere">${linked(paragraph, links)}</p>`,
                )}
                ${
                  facts.length > 0
                    ? html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin: 22px 0 6px; border-collapse: collapse">
                      ${facts.map(
                        ({ label, value }) => html`<tr>
                          <td class="muted line" style="padding: 10px 16px 10px 0; border-top: 1px solid #ddd4c4; color: #635a4f; ${sans}; font-size: 15px; line-height: 1.4; vertical-align: top">${label}</td>
                          <td class="ink line" align="right" style="padding: 10px 0; border-top: 1px solid #ddd4c4; color: #1c1815; ${sans}; font-size: 15px; font-weight: 600; line-height: 1.4; font-variant-numeric: tabular-nums; overflow-wrap: anywhere">${defuseLinks(value)}</td>
                        </tr>`,
                      )}
                    </table>`
                    : ''
                }
                ${
                  text.button
                    ? html`<p style="margin: 26px 0 4px"><a class="button" href="${text.button.url}" style="display: inline-block; padding: 14px 24px; border-radius: 6px; background-color: #b3241c; color: #fffcf6; ${sans}; font-size: 16px; font-weight: 650; line-height: 1.25; text-decoration: none; overflow-wrap: anywhere">${defuseLinks(text.button.label)}</a></p>`
                    : ''
                }
              </td>
            </tr>
            <tr>
              <td class="muted" style="padding: 18px 4px 0; color: #635a4f; ${sans}; font-size: 13px; line-height: 1.5; overflow-wrap: anywhere">${linked(text.reason, links)}</td>
            </tr>
          </table>
        </td>
      </tr>
    </table>
  </body>
</html>`,
  )
}
