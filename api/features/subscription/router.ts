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
  plans: publicProcedure.query(({ ctx }) => listPlans(ctx)),
  current: verifiedProcedure.query(({ ctx }) => currentSubscription(ctx)),
  /** `current` with null for "not found"; what screens and the subscription guard ask. */
  mine: verifiedProcedure.query(({ ctx }) => ownSubscription(ctx)),
  /** What is owed and why, and the days of refund: for the screen alone. */
  billing: verifiedProcedure.query(({ ctx }) => ownBilling(ctx)),
  createCheckout: verifiedProcedure.input(CreateCheckoutInput).mutation(({ ctx, input }) => createCheckout(ctx, input)),
  /** A mutation, since it asks Stripe and stores the answer. */
  confirm: verifiedProcedure.input(ConfirmCheckoutInput).mutation(({ ctx, input }) => confirmCheckout(ctx, input)),
  cancel: verifiedProcedure.mutation(({ ctx }) => cancelSubscription(ctx)),
  reactivate: verifiedProcedure.mutation(({ ctx }) => reactivateSubscription(ctx)),
  openPortal: verifiedProcedure.input(OpenPortalInput).mutation(({ ctx, input }) => openPortal(ctx, input)),
  /** A mutation, since it asks Stripe and stores the answer. */
  refresh: verifiedProcedure.mutation(({ ctx }) => refreshSubscription(ctx)),
  pay: verifiedProcedure.mutation(({ ctx }) => openPayment(ctx)),
})
