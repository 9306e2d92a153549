import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { isEntitled } from '@flashsheet/contracts/plans'
import { subscriptionStatusMessages } from '@flashsheet/contracts/subscription/messages'
import type { AdminCtx, RequestCtx, SignedInCtx, StudioCtx, SubscriberCtx, VerifiedCtx } from './context.ts'
import { forbidden, unauthenticated } from './errors.ts'
import { ownerScope } from './scope.ts'

/** Throws 401 for an anonymous caller, and 403 `deactivated` for a deactivated artist. */
function requireSignedIn<C extends RequestCtx>(ctx: C): C & SignedInCtx {
  if (!ctx.caller) throw unauthenticated()
  const { user } = ctx.caller
  if (!user.isActive) throw forbidden('deactivated', errorMessages.deactivated)
  return { ...ctx, user, owner: ownerScope(user.id) }
}

/** The id of the caller's session. Throws 401 without one, so that no API key reaches sessions. */
export function sessionIdOf(ctx: RequestCtx): string {
  if (ctx.caller?.kind !== 'session') throw unauthenticated()
  return ctx.caller.id
}

/** Throws 403 `unverified` until the address is verified, and `leaving` while the account is about to be deleted. */
function requireVerified<C extends RequestCtx>(ctx: C): C & VerifiedCtx {
  const signedIn = requireSignedIn(ctx)
  if (!signedIn.user.isEmailVerified) throw forbidden('unverified', errorMessages.unverified)
  if (signedIn.user.deletionAskedAt) throw forbidden('leaving', errorMessages.leaving)
  return { ...signedIn, verified: true }
}

/** Throws 403 `no_subscription` without an active subscription, with the message of its status. */
export function requireSubscriber<C extends RequestCtx>(ctx: C): C & SubscriberCtx {
  const verified = requireVerified(ctx)
  const { subscription } = verified.user
  if (!isEntitled(subscription, 'app')) {
    const status = subscription?.status
    const why = status === undefined || status === 'active' ? undefined : subscriptionStatusMessages[status]
    throw forbidden('no_subscription', why ?? errorMessages.noSubscription)
  }
  return { ...verified, subscriber: true }
}

/**
 * Throws 403 `plan` unless the plan includes website and bookings. Data from an earlier plan stays readable for every
 * subscriber, except where the REST table requires studio.
 */
export function requireStudio<C extends RequestCtx>(ctx: C): C & StudioCtx {
  const subscriber = requireSubscriber(ctx)
  if (!isEntitled(subscriber.user.subscription, 'studio')) throw forbidden('plan', errorMessages.plan)
  return { ...subscriber, studio: true }
}

/** Throws 403 `admin` unless the caller is staff. */
function requireAdmin<C extends RequestCtx>(ctx: C): C & AdminCtx {
  const verified = requireVerified(ctx)
  if (!verified.user.isAdmin) throw forbidden('admin', errorMessages.admin)
  return { ...verified, admin: true }
}

/** What each guard of the REST table proves. */
export type Guarded = {
  public: RequestCtx
  signedIn: SignedInCtx
  verified: VerifiedCtx
  subscriber: SubscriberCtx
  studio: StudioCtx
  admin: AdminCtx
}
export type GuardName = keyof Guarded

export const guards: { [G in GuardName]: (ctx: RequestCtx) => Guarded[G] } = {
  public: (ctx) => ctx,
  signedIn: requireSignedIn,
  verified: requireVerified,
  subscriber: requireSubscriber,
  studio: requireStudio,
  admin: requireAdmin,
}
