/** Plan ids, in the order they are shown. */
export const planIds = ['social-line-work', 'complete-shading'] as const
export type PlanId = (typeof planIds)[number]

/** What the plans are paid in; figures of several currencies could not be added up. */
export const currencies = ['usd'] as const
export type Currency = (typeof currencies)[number]

/** The two plans and their facts. Prices in US cents a month. */
export const plans = {
  'social-line-work': {
    id: 'social-line-work',
    name: 'Social Line Work',
    price: 1900,
    currency: 'usd',
    mostPopular: false,
    features: ['5 social accounts', 'Unlimited scheduled posts', 'One login'],
  },
  'complete-shading': {
    id: 'complete-shading',
    name: 'Complete Shading',
    price: 4900,
    currency: 'usd',
    mostPopular: true,
    features: [
      '5 social accounts',
      'Unlimited scheduled posts',
      'One login',
      'Website with profile and gallery',
      'Appointment booking',
    ],
  },
} as const satisfies Record<
  PlanId,
  { id: PlanId; name: string; price: number; currency: Currency; mostPopular: boolean; features: readonly string[] }
>

/** The five states the product knows; Stripe's others are mapped onto them. */
export const subscriptionStatuses = ['active', 'past_due', 'canceled', 'unpaid', 'incomplete'] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

/** What was promised goes on in these two states: scheduled posts, site, bookings, reminders. */
export function isLive(status: SubscriptionStatus | undefined): boolean {
  return status === 'active' || status === 'past_due'
}

/** Plan and state of an artist's current subscription; null: there never was one. */
export type HeldPlan = { plan: PlanId; status: SubscriptionStatus } | null

/**
 * What an artist may do with website, gallery and bookings. `write`: Complete Shading. `read`: a smaller plan;
 * what was made on the bigger one stays stored and can be looked at, and appointments made keep their reminders.
 * `none`: no active subscription, so no guarded page at all.
 */
export function studioAccess(held: HeldPlan): 'write' | 'read' | 'none' {
  if (held?.status !== 'active') return 'none'
  return held.plan === 'complete-shading' ? 'write' : 'read'
}

/** Whether the public finds the artist's site and may book there; otherwise the site shows its holding page. One failed charge closes nothing. */
export function studioIsOpen(held: HeldPlan): boolean {
  return held?.plan === 'complete-shading' && isLive(held.status)
}
