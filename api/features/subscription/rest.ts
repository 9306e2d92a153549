import { CheckoutSession, CreateCheckoutInput, Plan, Subscription } from '@flashsheet/contracts/subscription/schema'
import { z } from 'zod'
import { rawRow, row, type RestRow } from '../../core/rest.ts'
import { cancelSubscription, getCurrentSubscription, listPlans, reactivateSubscription } from './service/current.ts'
import { createCheckout } from './service/subscribe.ts'
import { stripeWebhook } from './webhook.ts'

export const subscriptionRest: readonly RestRow[] = [
  row('POST /api/subscriptions/create-checkout-session', 'verified', 'never', {
    input: CreateCheckoutInput,
    answer: CheckoutSession,
    run: createCheckout,
  }),
  row('GET /api/subscriptions/current', 'verified', 'never', { answer: Subscription, run: getCurrentSubscription }),
  row('POST /api/subscriptions/cancel', 'verified', 'never', { answer: Subscription, run: cancelSubscription }),
  row('POST /api/subscriptions/reactivate', 'verified', 'never', { answer: Subscription, run: reactivateSubscription }),
  row('GET /api/subscriptions/plans', 'public', 'any', { answer: z.array(Plan), run: async (ctx) => listPlans(ctx) }),
  rawRow('POST /api/webhooks/stripe', 'public', 'never', {
    takes: 'webhook',
    answer: { status: 200, is: 'nothing' },
    run: stripeWebhook,
  }),
]
