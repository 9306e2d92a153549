import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import { page } from '../../page.ts'
import { StripeError } from './errors.ts'
import { changing } from './events.ts'
import { collect, openInvoice, settle } from './invoices.ts'
import { dayWords, dollars } from './money-words.ts'
import { attachCard } from './payments.ts'
import { scheduleEnd, updateSubscription } from './subscription-change.ts'
import type { Account, CardKind, PortalSession, Subscription } from './state.ts'

const hour = 3600

/** The billing portal, `/portal/<session>`: cancel, resume, change card or plan, pay and see invoices. */
export function portalPages(account: Account): Hono {
  const app = new Hono()
  app.on(['GET', 'POST'], '/portal/:id', async (c) => {
    const portal = account.state.portalSessions[c.req.param('id')]
    if (!portal || portal.created + hour < account.now()) {
      return page(c, { title: 'Link expired', stands: 'Stripe', status: 404 }, html`<h1>This link to the billing portal has expired.</h1>`)
    }
    const auto = c.req.query('auto')
    if (auto === 'approve' || auto === 'deny') {
      if (auto === 'approve') act(account, portal, fromFlow(portal, c.req.query('card')))
      return leave(c, portal)
    }
    if (c.req.method !== 'POST') return show(c, account, portal)
    const form = await c.req.parseBody()
    const wrong = act(account, portal, Object.fromEntries(Object.entries(form).filter((field): field is [string, string] => typeof field[1] === 'string')))
    if (wrong) return show(c, account, portal, wrong)
    return afterwards(portal) ? leave(c, portal) : c.redirect(`/portal/${portal.id}`, 303)
  })
  return app
}

type Wish = { action?: string; subscription?: string; price?: string; card?: string; invoice?: string }

/** What `auto=approve` does: the flow the link was made for, with a good card unless told otherwise. */
function fromFlow(portal: PortalSession, card: string | undefined): Wish {
  const flow = portal.flow
  const type = (flow?.['type'] as string | undefined) ?? ''
  const details = (flow?.[type] ?? {}) as { subscription?: string; items?: { price?: string }[] }
  const named = details.subscription ? { subscription: details.subscription } : {}
  if (type === 'payment_method_update') return { action: 'card', card: card ?? 'good' }
  if (type === 'subscription_cancel') return { action: 'cancel', ...named }
  const price = details.items?.[0]?.price
  if (type === 'subscription_update_confirm' && price) return { action: 'plan', price, ...named }
  return {}
}

/** Carries out one click; answers what went wrong in words. */
function act(account: Account, portal: PortalSession, wish: Wish): string | undefined {
  if (wish.action === 'card') {
    replaceCard(account, portal, wish.card === 'declined' ? 'declined' : 'good')
    return undefined
  }
  if (wish.action === 'pay') return pay(account, portal, wish.invoice ?? '')
  const subscription = wish.subscription ? account.state.subscriptions[wish.subscription] : undefined
  if (!subscription || subscription.customer !== portal.customer || subscription.status === 'canceled') return wish.action && 'This subscription has ended.'
  // under flexible billing the portal sets a date and leaves cancel_at_period_end alone
  const end = subscription.items.data[0]!.current_period_end
  if (wish.action === 'cancel') changing(account, 'customer.subscription.updated', subscription, (one) => scheduleEnd(account, one, end))
  if (wish.action === 'resume') changing(account, 'customer.subscription.updated', subscription, (one) => scheduleEnd(account, one, undefined))
  if (wish.action !== 'plan') return undefined
  try {
    const items = [{ id: subscription.items.data[0]!.id, price: wish.price ?? '' }]
    updateSubscription(account, subscription.id, { items, proration_behavior: 'always_invoice', payment_behavior: 'error_if_incomplete' })
  } catch (error) {
    if (error instanceof StripeError) return error.message
    throw error
  }
  return undefined
}

function replaceCard(account: Account, portal: PortalSession, kind: CardKind): void {
  const customer = account.state.customers[portal.customer]!
  const method = attachCard(account, customer, kind)
  changing(account, 'customer.updated', customer, (one) => (one.invoice_settings.default_payment_method = method.id))
  for (const one of live(account, portal)) {
    changing(account, 'customer.subscription.updated', one, (subscription) => (subscription.default_payment_method = method.id))
  }
}

function pay(account: Account, portal: PortalSession, id: string): string | undefined {
  const invoice = account.state.invoices[id]
  if (invoice?.customer !== portal.customer || invoice.status !== 'open') return 'This invoice is settled.'
  if (!collect(account, invoice)) return 'Your card was declined.'
  settle(account, invoice)
  return undefined
}

function live(account: Account, portal: PortalSession): Subscription[] {
  return Object.values(account.state.subscriptions).filter((one) => one.customer === portal.customer && one.status !== 'canceled')
}

/** Where a finished flow leads, if it leads away at once. */
function afterwards(portal: PortalSession): string | null {
  const after = portal.flow?.['after_completion'] as { type?: string; redirect?: { return_url: string | null } | null } | undefined
  return after?.type === 'redirect' ? (after.redirect?.return_url ?? portal.return_url) : null
}

function leave(c: Context, portal: PortalSession): Response {
  return c.redirect(afterwards(portal) ?? portal.return_url ?? '/', 303)
}

function show(c: Context, account: Account, portal: PortalSession, wrong?: string): Response | Promise<Response> {
  const { state } = account
  const customer = state.customers[portal.customer]!
  const invoices = Object.values(state.invoices).filter((one) => one.customer === customer.id).toReversed()
  return page(
    c,
    { title: 'Billing', stands: 'Stripe' },
    html`<h1>Billing</h1>
      <p class="muted">${customer.email ?? customer.name ?? customer.id}</p>
      ${wrong ? html`<p class="card" role="alert">${wrong}</p>` : ''}
      ${live(account, portal).map((one) => subscriptionCard(account, one))}
      <h2>Invoices</h2>
      <ul class="rows">
        ${invoices.map(
          (one) => html`<li><div class="row"><span class="grow">${one.number} · ${dayWords(one.created)}</span><span class="badge">${one.status}</span>
            <span class="end">${dollars(one.total)}</span>
            ${one.status === 'open' ? html`<form method="post"><input type="hidden" name="invoice" value="${one.id}" /><button name="action" value="pay">Pay</button></form>` : ''}
          </div></li>`,
        )}
      </ul>
      ${portal.return_url ? html`<p class="actions"><a class="button" href="${portal.return_url}">Back to Flashsheet</a></p>` : ''}`,
  )
}

function subscriptionCard(account: Account, subscription: Subscription) {
  const { state } = account
  const item = subscription.items.data[0]!
  const card = subscription.default_payment_method ? state.paymentMethods[subscription.default_payment_method]?.card : undefined
  const others = Object.values(state.prices).filter((one) => one.active && one.recurring && one.id !== item.price.id && openInvoice(account, subscription) === undefined)
  const until = subscription.cancel_at ? `Ends on ${dayWords(subscription.cancel_at)}` : `Renews on ${dayWords(item.current_period_end)}`
  return html`<section class="card">
    <h2>${state.products[item.price.product]?.name}</h2>
    <p>${dollars(item.price.unit_amount)} per ${item.price.recurring?.interval} · <span class="badge">${subscription.status}</span></p>
    <p class="muted">${until}. ${card ? `Paid by Visa ${card.last4}.` : 'No card on file.'}</p>
    <form method="post">
      <input type="hidden" name="subscription" value="${subscription.id}" />
      <div class="actions">
        ${subscription.cancel_at
          ? html`<button class="main" name="action" value="resume">Do not cancel</button>`
          : html`<button name="action" value="cancel">Cancel at the end of the period</button>`}
      </div>
    </form>
    ${others.map(
      (one) => html`<form method="post">
        <input type="hidden" name="subscription" value="${subscription.id}" />
        <input type="hidden" name="price" value="${one.id}" />
        <div class="actions"><button name="action" value="plan">Change to ${state.products[one.product]?.name} (${dollars(one.unit_amount)})</button></div>
      </form>`,
    )}
    <form method="post">
      <div class="actions">
        <input type="hidden" name="action" value="card" />
        <button name="card" value="good">New card Visa 4242 (pays)</button>
        <button name="card" value="declined">New card Visa 0341 (fails)</button>
      </div>
    </form>
  </section>`
}
