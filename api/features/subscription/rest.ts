import { CheckoutSession, CreateCheckoutInput, Plan, Subscription } from '@flashsheet/contracts/subscription/schema'
import { z } from 'zod'
import { rawRow, row, type RestRow } from '../../core/rest.ts'
import { cancelSubscription, currentSubscription, listPlans, reactivateSubscription } from './service/current.ts'
import { createCheckout } from './service/subscribe.ts'
import { stripeWebhook } from './webhook.ts'

const nothing = z.object({})

export const subscriptionRest: readonly RestRow[] = [
  row({
    method: 'POST',
    path: '/api/subscriptions/create-checkout-session',
    guard: 'verified',
    key: 'never',
    answer: CheckoutSession,
    input: CreateCheckoutInput,
    run: createCheckout,
  }),
  row({
    method: 'GET',
    path: '/api/subscriptions/current',
    guard: 'verified',
    key: 'never',
    answer: Subscription,
    input: nothing,
    run: currentSubscription,
  }),
  row({
    method: 'POST',
    path: '/api/subscriptions/cancel',
    guard: 'verified',
    key: 'never',
    answer: Subscription,
    input: nothing,
    run: cancelSubscription,
  }),
  row({
    method: 'POST',
    path: '/api/subscriptions/reactivate',
    guard: 'verified',
    key: 'never',
    answer: Subscription,
    input: nothing,
    run: reactivateSubscription,
  }),
  row({
    method: 'GET',
    path: '/api/subscriptions/plans',
    guard: 'public',
    key: 'any',
    answer: z.array(Plan),
    input: nothing,
    run: async (ctx) => listPlans(ctx),
  }),
  rawRow({
    method: 'POST',
    path: '/api/webhooks/stripe',
    guard: 'public',
    key: 'never',
    answer: { status: 200, is: 'nothing' },
    takes: 'webhook',
    run: stripeWebhook,
  }),
]
