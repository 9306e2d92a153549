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

export const subscriptionRouter = router({
  plans: publicProcedure('any').query(({ ctx }) => listPlans(ctx)),
  current: verifiedProcedure('never').query(({ ctx }) => currentSubscription(ctx)),
  /** Like `current`, with null instead of "not found", for screens and the subscription guard. */
  mine: verifiedProcedure('never').query(({ ctx }) => ownSubscription(ctx)),
  /** What is owed and why, and the refund period: for the screen only. */
  billing: verifiedProcedure('never').query(({ ctx }) => ownBilling(ctx)),
  createCheckout: verifiedProcedure('never')
    .input(CreateCheckoutInput)
    .mutation(({ ctx, input }) => createCheckout(ctx, input)),
  /** A mutation, since it reads Stripe and stores the result. */
  confirm: verifiedProcedure('never')
    .input(ConfirmCheckoutInput)
    .mutation(({ ctx, input }) => confirmCheckout(ctx, input)),
  cancel: verifiedProcedure('never').mutation(({ ctx }) => cancelSubscription(ctx)),
  reactivate: verifiedProcedure('never').mutation(({ ctx }) => reactivateSubscription(ctx)),
  openPortal: verifiedProcedure('never')
    .input(OpenPortalInput)
    .mutation(({ ctx, input }) => openPortal(ctx, input)),
  /** A mutation, since it reads Stripe and stores the result. */
  refresh: verifiedProcedure('never').mutation(({ ctx }) => refreshSubscription(ctx)),
  pay: verifiedProcedure('never').mutation(({ ctx }) => openPayment(ctx)),
})
