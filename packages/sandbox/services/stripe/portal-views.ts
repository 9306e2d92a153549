import { html } from 'hono/html'
import type { Markup } from '../../page.ts'
import { cardChoice } from './card-choice.ts'
import { intentOf } from './invoices.ts'
import { formatDay, dollars } from './format-money.ts'
import { fromFlow, ongoingSubscriptions } from './portal-actions.ts'
import type { Account, Invoice, PortalSession, Price, Subscription } from './state.ts'
import type { PortalFeatures } from './portal-features.ts'
import { prorationLines } from './subscription-change.ts'
import { productName } from './subscriptions.ts'

export type Step =
  | { kind: 'card' }
  | { kind: 'cancel'; subscription: Subscription }
  | { kind: 'plan'; subscription: Subscription; price: Price }

/**
 * The step that this page shows: that of the link's flow, or the one that was clicked on the home page. Undefined: the
 * home page, also after the flow is completed.
 */
export function stepOf(account: Account, portal: PortalSession, query: Record<string, string>): Step | undefined {
  const click = portal.flow
    ? fromFlow(portal, undefined)
    : { action: query['step'], subscription: query['subscription'], price: query['price'] }
  if (click.action === 'card') return { kind: 'card' }
  const subscription = ongoingSubscriptions(account, portal).find((one) => one.id === click.subscription)
  if (subscription?.cancel_at === null && click.action === 'cancel') return { kind: 'cancel', subscription }
  const price = account.state.prices[click.price ?? '']
  return subscription && price && price.id !== subscription.items.data[0]!.price.id && click.action === 'plan'
    ? { kind: 'plan', subscription, price }
    : undefined
}

export function stepView(account: Account, portal: PortalSession, step: Step): Markup {
  const back = portal.flow ? (portal.return_url ?? '/') : `/portal/${portal.id}`
  const buttons = (main: string) =>
    html`<div class="actions"><button class="main">${main}</button><a class="button" href="${back}">Go back</a></div>`
  if (step.kind === 'card') {
    return html`<h1>Change your card</h1>
      <form method="post">
        <input type="hidden" name="action" value="card" />
        ${cardChoice()} ${buttons('Save')}
      </form>
      <p class="muted">No card is charged and nothing leaves this machine.</p>`
  }
  const { subscription } = step
  const item = subscription.items.data[0]!
  const name = productName(account, item.price)
  if (step.kind === 'cancel') {
    return html`<h1>Cancel ${name}</h1>
      <p>It goes on until ${formatDay(item.current_period_end)} and ends then.</p>
      <form method="post">
        <input type="hidden" name="action" value="cancel" /><input type="hidden" name="subscription" value="${subscription.id}" />
        ${buttons('Cancel subscription')}
      </form>`
  }
  const lines = prorationLines(account, subscription, { item, price: step.price, quantity: item.quantity })
  const credit = account.state.customers[portal.customer]!.balance
  const total = lines.reduce((sum, line) => sum + line.amount, credit)
  return html`<h1>Change to ${productName(account, step.price)}</h1>
    <p><span class="price">${dollars(step.price.unit_amount)}</span> per ${step.price.recurring?.interval ?? 'month'}, from now on</p>
    <ul class="rows">
      ${lines.map((line) => html`<li><div class="row"><span class="grow">${line.description}</span><span class="end">${dollars(line.amount)}</span></div></li>`)}
      ${credit ? html`<li><div class="row"><span class="grow">Credit</span><span class="end">${dollars(credit)}</span></div></li>` : ''}
      <li><div class="row"><b class="grow">${total < 0 ? 'Credit for the next invoices' : 'Due today'}</b><b class="end">${dollars(Math.abs(total))}</b></div></li>
    </ul>
    <form method="post">
      <input type="hidden" name="action" value="plan" /><input type="hidden" name="subscription" value="${subscription.id}" />
      <input type="hidden" name="price" value="${step.price.id}" />
      ${buttons('Confirm')}
    </form>`
}

export function homeView(account: Account, portal: PortalSession): Markup {
  const { state } = account
  const customer = state.customers[portal.customer]!
  const { features } = state.portalConfigurations[portal.configuration]!
  const invoices = Object.values(state.invoices)
    .filter((one) => one.customer === customer.id)
    .toReversed()
  const card =
    customer.invoice_settings.default_payment_method ?? ongoingSubscriptions(account, portal)[0]?.default_payment_method
  return html`<h1>Billing</h1>
    <p class="muted">${customer.email ?? customer.name ?? customer.id}</p>
    ${ongoingSubscriptions(account, portal).map((one) => subscriptionCard(account, portal, features, one))}
    ${
      features.payment_method_update.enabled
        ? html`<h2>Card</h2>
          <ul class="rows">
            <li><a href="/portal/${portal.id}?step=card"><span class="grow">${card ? `Visa ${state.paymentMethods[card]?.card.last4}` : 'No card on file'}</span><span class="end">Change</span></a></li>
          </ul>`
        : ''
    }
    ${
      features.invoice_history.enabled
        ? html`<h2>Invoices</h2>
          <ul class="rows">
            ${invoices.map((one) => invoiceRow(account, one))}
          </ul>`
        : ''
    }
    ${portal.return_url ? html`<p class="actions"><a class="button" href="${portal.return_url}">Back to Flashsheet</a></p>` : ''}`
}

function invoiceRow(account: Account, invoice: Invoice): Markup {
  const needsConfirmation = intentOf(account, invoice)?.status === 'requires_action'
  return html`<li>
    <a href="${invoice['hosted_invoice_url']}"><span class="grow">${invoice.number} · ${formatDay(invoice.created)}</span><span class="badge">${invoice.status}</span><span class="end">${dollars(invoice.total)}</span></a>
    ${
      invoice.status === 'open'
        ? html`<form method="post" class="row"><input type="hidden" name="invoice" value="${invoice.id}" /><button class="main" name="action" value="pay">${needsConfirmation ? 'Confirm' : 'Pay'} ${dollars(invoice.amount_remaining)}</button></form>`
        : ''
    }
  </li>`
}

function subscriptionCard(
  account: Account,
  portal: PortalSession,
  features: PortalFeatures,
  subscription: Subscription,
): Markup {
  const { state } = account
  const item = subscription.items.data[0]!
  const offered = features.subscription_update.enabled
    ? features.subscription_update.products.flatMap((one) => one.prices)
    : []
  const others = Object.values(state.prices).filter((one) => offered.includes(one.id) && one.id !== item.price.id)
  const until = subscription.cancel_at
    ? `Ends on ${formatDay(subscription.cancel_at)}`
    : `Renews on ${formatDay(item.current_period_end)}`
  const step = (name: string, more = '') => `/portal/${portal.id}?step=${name}&subscription=${subscription.id}${more}`
  return html`<section class="card">
    <h2>${productName(account, item.price)}</h2>
    <p>${dollars(item.price.unit_amount)} per ${item.price.recurring?.interval} · <span class="badge">${subscription.status}</span></p>
    <p class="muted">${until}.</p>
    <div class="actions">
      ${others.map((one) => html`<a class="button" href="${step('plan', `&price=${one.id}`)}">Change to ${productName(account, one)} (${dollars(one.unit_amount)})</a>`)}
      ${
        !features.subscription_cancel.enabled
          ? ''
          : subscription.cancel_at
            ? html`<form method="post"><input type="hidden" name="subscription" value="${subscription.id}" /><button class="main" name="action" value="resume">Do not cancel</button></form>`
            : html`<a class="button" href="${step('cancel')}">Cancel subscription</a>`
      }
    </div>
  </section>`
}
