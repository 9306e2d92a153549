import { ConfirmCheckoutInput, CreateCheckoutInput, OpenPortalInput } from '@flashsheet/contracts/subscription/schema'
import { publicProcedure, router, verifiedProcedure } from '../../core/procedures.ts'
import {
  cancelSubscription,
  currentSubscription,
  listPlans,
  ownSubscription,
  reactivateSubscription,
} from './service/current.ts'
import { openPayment, openPortal, ownBilling, refreshSubscription } from './service/billing.ts'
import { confirmCheckout, createCheckout } from './service/subscribe.ts'

const verified = verifiedProcedure('never')

export const subscriptionRouter = router({
  plans: publicProcedure('any').query(({ ctx }) => listPlans(ctx)),
  current: verified.query(({ ctx }) => currentSubscription(ctx)),
  /** Like `current`, with null instead of "not found", for screens and the subscription guard. */
  mine: verified.query(({ ctx }) => ownSubscription(ctx)),
  /** What is owed and why, and the refund period: for the screen only. */
  billing: verified.query(({ ctx }) => ownBilling(ctx)),
  createCheckout: verified.input(CreateCheckoutInput).mutation(({ ctx, input }) => createCheckout(ctx, input)),
  /** A mutation, since it reads Stripe and stores the result. */
  confirm: verified.input(ConfirmCheckoutInput).mutation(({ ctx, input }) => confirmCheckout(ctx, input)),
  cancel: verified.mutation(({ ctx }) => cancelSubscription(ctx)),
  reactivate: verified.mutation(({ ctx }) => reactivateSubscription(ctx)),
  openPortal: verified.input(OpenPortalInput).mutation(({ ctx, input }) => openPortal(ctx, input)),
  /** A mutation, since it reads Stripe and stores the result. */
  refresh: verified.mutation(({ ctx }) => refreshSubscription(ctx)),
  pay: verified.mutation(({ ctx }) => openPayment(ctx)),
})
