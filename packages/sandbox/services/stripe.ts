import { Hono } from 'hono'
import type { ServiceModule, SandboxContext } from '../context.ts'
import { advance } from './stripe/advance.ts'
import { stripeApi } from './stripe/api.ts'
import { seedCatalog } from './stripe/catalog.ts'
import { checkoutPages } from './stripe/checkout-page.ts'
import { redeliver, startDeliveries, type Webhook } from './stripe/deliveries.ts'
import { decideDispute, newestCharge, openDispute } from './stripe/disputes.ts'
import { orMessage } from './stripe/errors.ts'
import { dashboardPages } from './stripe/dashboard-page.ts'
import { invoicePages } from './stripe/invoice-page.ts'
import { paymentPages } from './stripe/payments-page.ts'
import { performPastAction, type PastAction } from './stripe/past-actions.ts'
import { portalPages } from './stripe/portal-page.ts'
import { openAccount } from './stripe/state.ts'

/** Stripe for one account with two monthly plans: API, checkout, billing portal and webhooks. */
export const stripe: ServiceModule = {
  service: 'stripe',
  hosts: {},
  rootPaths: ['/v1', '/checkout', '/portal', '/invoice', '/payments', '/dashboard.stripe.com'],
  root(sandbox) {
    const account = openAccount(sandbox, seedCatalog)
    const app = new Hono()
    for (const part of [stripeApi, checkoutPages, portalPages, invoicePages, paymentPages, dashboardPages])
      app.route('/', part(account))
    return app
  },
  defaults(sandbox) {
    const { prices, products } = openAccount(sandbox, seedCatalog).state
    const plans = Object.values(prices).map((one) => ({
      id: one.id,
      name: products[one.product]?.name ?? '',
      lookupKey: one.lookup_key,
      amount: one.unit_amount,
      currency: one.currency,
    }))
    return { prices: plans }
  },
}

/** The control API's actions at Stripe. */
export function stripeControl(sandbox: SandboxContext) {
  const account = openAccount(sandbox, seedCatalog)
  return {
    /** Oldest first. */
    events: () => Object.values(account.state.events).map(({ id, type, created }) => ({ id, type, created })),
    async resend(ids: string[]): Promise<string | undefined> {
      const unknown = ids.find((id) => !account.state.events[id])
      if (unknown !== undefined) return `No such event: ${unknown}`
      await redeliver(account, ids)
      return undefined
    },
    advance: (subscription: string, to: 'renewal' | 'end') => advance(account, subscription, to),
    past: (action: PastAction) => performPastAction(account, action),
    /**
     * Opens a dispute about the newest payment of a subscription, or decides the open one. Returns the dispute, or what
     * is wrong.
     */
    dispute(subscription: string, outcome: 'won' | 'lost' | undefined): { dispute: string; status: string } | string {
      const charge = newestCharge(account, subscription)
      if (!charge) return `Nothing was paid for this subscription: ${subscription}`
      const before = Object.values(account.state.disputes).find((one) => one.charge === charge.id)
      if (outcome && !before) return `Nothing is disputed of this subscription: ${subscription}`
      return orMessage(() => {
        const { id, status } =
          outcome && before ? decideDispute(account, before, outcome === 'won') : openDispute(account, charge)
        return { dispute: id, status }
      })
    },
  }
}

/** Unpaid checkout sessions, newest first. */
export function openCheckouts(sandbox: SandboxContext): { id: string; email: string | null; product: string }[] {
  const account = openAccount(sandbox, seedCatalog)
  const { state } = account
  const open = Object.values(state.sessions).filter((one) => one.status === 'open' && one.expires_at > account.now())
  return open.toReversed().map((one) => {
    const price = state.prices[state.plans[one.id]?.price ?? '']
    const customer = one.customer ? state.customers[one.customer] : undefined
    return {
      id: one.id,
      email: one.customer_email ?? customer?.email ?? null,
      product: state.products[price?.product ?? '']?.name ?? '',
    }
  })
}

/** Sends events to the product's webhook until the returned function is called. */
export function startStripeWebhook(sandbox: SandboxContext, webhook: Webhook): () => Promise<void> {
  return startDeliveries(openAccount(sandbox, seedCatalog), webhook)
}
