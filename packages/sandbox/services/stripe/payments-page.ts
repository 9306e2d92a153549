import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import { page } from '../../page.ts'
import { decideDispute, disputeOf, openDispute } from './disputes.ts'
import { invalid, refusalOf } from './errors.ts'
import { formatDay, dollars } from './format-money.ts'
import { createRefund } from './payments.ts'
import type { Account, Charge } from './state.ts'

/** `/payments`: refunds, as in Stripe's dashboard, and disputes, which a cardholder's bank opens. */
export function paymentPages(account: Account): Hono {
  const app = new Hono()
  app.on(['GET', 'POST'], '/payments', async (c) => {
    if (c.req.method !== 'POST') return show(c, account)
    const form = await c.req.parseBody()
    const problem = refusalOf(() => act(account, form['action'], form['charge']))
    return problem === undefined ? c.redirect('/payments', 303) : show(c, account, problem)
  })
  return app
}

function act(account: Account, action: unknown, id: unknown): void {
  const charge = typeof id === 'string' ? account.state.charges[id] : undefined
  if (!charge) throw invalid('There is no such payment.')
  const dispute = disputeOf(account, charge)
  if (action === 'refund') createRefund(account, { charge: charge.id })
  else if (action === 'dispute') openDispute(account, charge)
  else if (dispute && (action === 'won' || action === 'lost')) decideDispute(account, dispute, action === 'won')
  else throw invalid('There is nothing to do.')
}

function show(c: Context, account: Account, problem?: string): Response | Promise<Response> {
  const charges = Object.values(account.state.charges)
    .filter((one) => one.status === 'succeeded')
    .toReversed()
  return page(
    c,
    { title: 'Payments', service: 'Stripe', wide: true },
    html`<h1>Payments</h1>
      ${problem ? html`<p class="card" role="alert">${problem}</p>` : ''}
      ${
        charges.length
          ? html`<ul class="rows">
            ${charges.map((one) => row(account, one))}
          </ul>`
          : html`<p class="card">No payment yet.</p>`
      }`,
  )
}

function row(account: Account, charge: Charge) {
  const dispute = disputeOf(account, charge)
  const state = dispute
    ? `dispute ${dispute.status.replace('_', ' ')}`
    : charge.refunded
      ? 'refunded'
      : charge.amount_refunded > 0
        ? 'refunded in part'
        : 'paid'
  const actions = dispute
    ? dispute.status === 'needs_response'
      ? ['won', 'lost']
      : []
    : charge.refunded
      ? []
      : ['refund', 'dispute']
  const words: Record<string, string> = {
    refund: 'Refund',
    dispute: 'Dispute',
    won: 'The bank agrees with us',
    lost: 'The bank takes it',
  }
  return html`<li>
    <div class="row"><span class="grow">${account.state.customers[charge.customer]?.email ?? charge.customer} · ${formatDay(charge.created)}</span>
      <span class="badge">${state}</span><span class="end">${dollars(charge.amount)}</span></div>
    ${
      actions.length
        ? html`<form class="row" method="post"><input type="hidden" name="charge" value="${charge.id}" />${actions.map((one) => html`<button name="action" value="${one}">${words[one]}</button>`)}</form>`
        : ''
    }
  </li>`
}
