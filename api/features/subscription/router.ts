import { ConfirmCheckoutInput, CreateCheckoutInput, OpenPortalInput } from '@flashsheet/contracts/subscription/schema'
import { call, publicProcedure, router, verifiedProcedure } from '../../core/procedures.ts'
import {
  cancelSubscription,
  getCurrentSubscription,
  listPlans,
  getOwnSubscription,
  reactivateSubscription,
} from './service/current.ts'
import { openPayment, openPortal, getOwnBilling, refreshSubscription } from './service/billing.ts'
import { confirmCheckout, createCheckout } from './service/subscribe.ts'

const verified = verifiedProcedure('never')

export const subscriptionRouter = router({
  plans: publicProcedure('any').query(call(listPlans)),
  current: verified.query(call(getCurrentSubscription)),
  /** Like `current`, with null instead of "not found", for screens and the subscription guard. */
  mine: verified.query(call(getOwnSubscription)),
  /** The amount owed, why it is unpaid, and the refund period; only screens need them. */
  billing: verified.query(call(getOwnBilling)),
  createCheckout: verified.input(CreateCheckoutInput).mutation(call(createCheckout)),
  /** A mutation, since it reads Stripe and stores the result. */
  confirm: verified.input(ConfirmCheckoutInput).mutation(call(confirmCheckout)),
  cancel: verified.mutation(call(cancelSubscription)),
  reactivate: verified.mutation(call(reactivateSubscription)),
  openPortal: verified.input(OpenPortalInput).mutation(call(openPortal)),
  /** A mutation, since it reads Stripe and stores the result. */
  refresh: verified.mutation(call(refreshSubscription)),
  pay: verified.mutation(call(openPayment)),
})
