import { Hono } from 'hono'
import type { ServiceModule, SandboxContext } from '../context.ts'
import { stripeApi } from './stripe/api.ts'
import { seedCatalog } from './stripe/catalog.ts'
import { checkoutPages } from './stripe/checkout-page.ts'
import { startDeliveries, type Webhook } from './stripe/deliveries.ts'
import { dashboardPages } from './stripe/dashboard-page.ts'
import { invoicePages } from './stripe/invoice-page.ts'
import { paymentPages } from './stripe/payments-page.ts'
import { portalPages } from './stripe/portal-page.ts'
import { openAccount } from './stripe/state.ts'

/** Stripe for one account with monthly plans: API, checkout, billing portal and webhooks. */
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
