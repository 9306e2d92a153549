import * as fs from 'node:fs'
import { Readable } from 'node:stream'
import { Hono } from 'hono'
import { html } from 'hono/html'
import { page } from '../page.ts'
import type { SandboxContext } from '../context.ts'
import { type StoredMail, mailById, mails } from './mailbox.ts'

/** `/inbox` lists every mail, `?to=` those of one person; `/inbox/<id>` renders one. */
export function inboxPages(sandbox: SandboxContext): Hono {
  const app = new Hono()

  app.get('/inbox', (c) => {
    const to = c.req.query('to')?.toLowerCase()
    const seen = mails(sandbox).filter((one) => !to || one.to.toLowerCase().includes(to))
    return page(
      c,
      { title: 'Inbox', wide: true },
      html`<h1>Inbox</h1>
        ${
          seen.length
            ? html`<ul class="rows">
              ${seen.map(
                (one) => html`<li>
                  <a href="/inbox/${one.id}"><span class="grow"><b>${one.subject || '(no subject)'}</b><br /><span class="muted">to ${one.to}</span></span><span class="end">${clock(one.at)}</span></a>
                </li>`,
              )}
            </ul>`
            : html`<p class="card">No mail yet. Every mail Flashsheet sends lands here, whoever it is for.</p>`
        }`,
    )
  })

  app.get('/inbox/:id', (c) => {
    const mail = mailById(sandbox, c.req.param('id'))
    if (!mail) return page(c, { title: 'No such mail', status: 404 }, html`<h1>There is no such mail.</h1>`)
    return page(
      c,
      { title: mail.subject || 'Mail', wide: true },
      html`<p><a href="/inbox">All mail</a></p>
        <h1>${mail.subject || '(no subject)'}</h1>
        <dl>
          <dt>From</dt>
          <dd>${mail.from}</dd>
          <dt>To</dt>
          <dd>${mail.to}</dd>
          <dt>At</dt>
          <dd>${clock(mail.at)}</dd>
        </dl>
        ${
          mail.html
            ? html`<p><iframe title="${mail.subject || 'Mail'}" sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation" srcdoc="${frameContent(mail)}"></iframe></p>`
            : ''
        }
        ${mail.attachments.map((one, index) => html`<p><a class="button" href="/inbox/${mail.id}/attachments/${index}" download="${one.name}">${one.name} (${one.bytes} bytes)</a></p>`)}
        ${mail.links.length ? html`<h2>Links</h2><ul>${mail.links.map((link) => html`<li><a href="${link}">${link}</a></li>`)}</ul>` : ''}
        ${mail.text ? html`<h2>As plain text</h2><pre class="card">${mail.text}</pre>` : ''}`,
    )
  })

  app.get('/inbox/:id/attachments/:index', (c) => {
    const one = mailById(sandbox, c.req.param('id'))?.attachments[Number(c.req.param('index'))]
    if (!one) return c.notFound()
    c.header('content-type', one.type)
    c.header('content-security-policy', 'sandbox')
    return c.body(Readable.toWeb(fs.createReadStream(sandbox.blobPath(one.blob))) as ReadableStream)
  })
  return app
}

function clock(at: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(at))
}

/** The HTML part with its embedded pictures resolved and links that open outside the frame. */
function frameContent(mail: StoredMail): string {
  let shown = mail.html
  for (const [index, one] of mail.attachments.entries()) {
    if (one.contentId) shown = shown.replaceAll(`cid:${one.contentId}`, `/inbox/${mail.id}/attachments/${index}`)
  }
  return `<base target="_top">${shown}`
}
