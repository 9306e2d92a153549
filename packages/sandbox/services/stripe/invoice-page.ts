import { Hono } from 'hono'
import { html } from 'hono/html'
import { page } from '../../page.ts'
import { collect, settle } from './invoices.ts'
import { dayWords, dollars } from './money-words.ts'
import type { Account } from './state.ts'

/** An invoice as its customer sees it, `/invoice/<id>` (`hosted_invoice_url`); an open one can be paid with the card on file. */
export function invoicePages(account: Account): Hono {
  const app = new Hono()
  app.on(['GET', 'POST'], '/invoice/:id', (c) => {
    const invoice = account.state.invoices[c.req.param('id')]
    if (!invoice) return page(c, { title: 'No such invoice', stands: 'Stripe', status: 404 }, html`<h1>There is no such invoice.</h1>`)
    const asked = c.req.method === 'POST' || c.req.query('auto') === 'approve'
    const refused = asked && invoice.status === 'open' && !collect(account, invoice)
    if (asked && !refused) settle(account, invoice)
    return page(
      c,
      { title: `Invoice ${invoice.number}`, stands: 'Stripe' },
      html`<h1>Invoice ${invoice.number}</h1>
        <p><span class="price">${dollars(invoice.total)}</span> <span class="badge">${invoice.status}</span></p>
        ${refused ? html`<p class="card" role="alert">Your card was declined.</p>` : ''}
        <dl>
          <dt>To</dt>
          <dd>${invoice['customer_email']}</dd>
          <dt>Date</dt>
          <dd>${dayWords(invoice.created)}</dd>
        </dl>
        <ul class="rows">
          ${invoice.lines.data.map((line) => html`<li><div class="row"><span class="grow">${line.description}</span><span class="end">${dollars(line.amount)}</span></div></li>`)}
        </ul>
        ${invoice.status === 'open' ? html`<form method="post"><div class="actions"><button class="main">Pay ${dollars(invoice.amount_remaining)}</button></div></form>` : ''}`,
    )
  })
  return app
}
