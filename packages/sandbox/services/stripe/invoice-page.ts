import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import { missingPage, page } from '../../page.ts'
import { cardChoice } from './card-choice.ts'
import { collect, intentOf, reactivate } from './invoices.ts'
import { formatDay, dollars } from './format-money.ts'
import { attachCard, cardKind, cardOf } from './payments.ts'
import type { Account, Invoice } from './state.ts'

/**
 * The hosted invoice, `/invoice/<id>` (`hosted_invoice_url`). An open one can be paid with the card on file or another
 * one, or authenticated where the bank requires it. `auto=approve` pays with the card on file, or with `card=good`, ….
 */
export function invoicePages(account: Account): Hono {
  const app = new Hono()
  app.on(['GET', 'POST'], '/invoice/:id', async (c) => {
    const invoice = account.state.invoices[c.req.param('id')]
    if (!invoice) return missingPage(c, 'Stripe', 'No such invoice', 'There is no such invoice.')
    const form: Record<string, unknown> = c.req.method === 'POST' ? await c.req.parseBody() : {}
    const shouldPay = c.req.method === 'POST' || c.req.query('auto') === 'approve'
    const refused =
      shouldPay && invoice.status === 'open' && !pay(account, invoice, c.req.query('card') ?? form['card'])
    return show(c, account, invoice, refused)
  })
  return app
}

function pay(account: Account, invoice: Invoice, cardName: unknown): boolean {
  const kind = cardKind(cardName)
  const card = kind && attachCard(account, account.state.customers[invoice.customer]!, kind).id
  const paid = collect(account, invoice, 'page', card)
  if (paid) reactivate(account, invoice)
  return paid
}

/** The last four digits of the default card. */
function cardOnFile(account: Account, invoice: Invoice): string | undefined {
  const subscription = account.state.subscriptions[invoice.parent.subscription_details.subscription]!
  return account.state.paymentMethods[cardOf(account, subscription) ?? '']?.card.last4
}

function show(c: Context, account: Account, invoice: Invoice, refused: boolean): Response | Promise<Response> {
  const needsConfirmation = invoice.status === 'open' && intentOf(account, invoice)?.status === 'requires_action'
  return page(
    c,
    { title: `Invoice ${invoice.number}`, service: 'Stripe' },
    html`<h1>Invoice ${invoice.number}</h1>
      <p><span class="price">${dollars(invoice.total)}</span> <span class="badge">${invoice.status}</span></p>
      ${refused ? html`<p class="card" role="alert">Your card was declined.</p>` : ''}
      ${needsConfirmation ? html`<p class="card" role="alert">Your bank wants you to confirm this payment.</p>` : ''}
      <dl>
        <dt>To</dt>
        <dd>${invoice['customer_email']}</dd>
        <dt>Date</dt>
        <dd>${formatDay(invoice.created)}</dd>
      </dl>
      <h2>For</h2>
      <ul class="rows">
        ${invoice.lines.data.map((line) => html`<li><div class="row"><span class="grow">${line.description}</span><span class="end">${dollars(line.amount)}</span></div></li>`)}
        ${invoice.total === invoice.amount_due ? '' : html`<li><div class="row"><span class="grow">Due after credit</span><span class="end">${dollars(invoice.amount_due)}</span></div></li>`}
      </ul>
      ${
        invoice.status === 'open'
          ? html`<form method="post">
            ${cardChoice(cardOnFile(account, invoice))}
            <div class="actions"><button class="main">${needsConfirmation ? 'Confirm' : 'Pay'} ${dollars(invoice.amount_remaining)}</button></div>
          </form>`
          : ''
      }`,
  )
}
