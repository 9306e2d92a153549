/** Plan ids, in the order they are shown. Nothing but this file asks for a plan by its id (scripts/structure.ts). */
export const planIds = ['social-line-work', 'complete-shading'] as const
export type PlanId = (typeof planIds)[number]

/** What the plans are paid in; figures of several currencies could not be added up. */
export const currencies = ['usd'] as const
export type Currency = (typeof currencies)[number]

type Plan = {
  id: PlanId
  name: string
  /** Under its name, where it is offered. */
  about: string
  /** In the names of its figures: `completeShadingRevenue`. */
  figures: string
  /** US cents a month. */
  price: number
  currency: Currency
  mostPopular: boolean
  /** Website, gallery and bookings. */
  hasStudio: boolean
  features: readonly string[]
}

/** The plans and their facts, the smaller one first. */
export const plans = {
  'social-line-work': {
    id: 'social-line-work',
    name: 'Social Line Work',
    about: 'Your work on every network, from one place.',
    figures: 'socialLineWork',
    price: 1900,
    currency: 'usd',
    mostPopular: false,
    hasStudio: false,
    features: ['5 social accounts', 'Unlimited scheduled posts', 'One login'],
  },
  'complete-shading': {
    id: 'complete-shading',
    name: 'Complete Shading',
    about: 'Everything, with your own website and bookings.',
    figures: 'completeShading',
    price: 4900,
    currency: 'usd',
    mostPopular: true,
    hasStudio: true,
    features: [
      '5 social accounts',
      'Unlimited scheduled posts',
      'One login',
      'Website with profile and gallery',
      'Appointment booking',
    ],
  },
} as const satisfies Record<PlanId, Plan>

const studioPlans = planIds.filter((id) => plans[id].hasStudio)

/** What to upgrade to for website, gallery and bookings. */
export const studioPlan: Plan = plans[studioPlans[0]!]

/** The five states the product knows; Stripe's others are mapped onto them. */
export const subscriptionStatuses = ['active', 'past_due', 'canceled', 'unpaid', 'incomplete'] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

/** Statuses in which scheduled posts, site and bookings go on: a failed charge closes nothing until Stripe gives it up. */
export const liveStatuses: readonly SubscriptionStatus[] = ['active', 'past_due']

export function isLive(status: SubscriptionStatus | undefined): boolean {
  return status !== undefined && liveStatuses.includes(status)
}

type Condition = { plans: readonly PlanId[]; statuses: readonly SubscriptionStatus[] }

/** What a subscription opens, and with which plan in which state. The same in SQL: db/entitlements.ts. */
export const entitlements = {
  /** The screens and calls of subscribers. Data from a bigger plan can be read. */
  app: { plans: planIds, statuses: ['active'] },
  /** Changing website, gallery and bookings. */
  studio: { plans: studioPlans, statuses: ['active'] },
  /** Scheduled posts are published. */
  publishing: { plans: planIds, statuses: liveStatuses },
  /** The public finds the site and may book there; otherwise it shows its holding page. */
  publicSite: { plans: studioPlans, statuses: liveStatuses },
} as const satisfies Record<string, Condition>
export type Entitlement = keyof typeof entitlements

/** Plan and state of an artist's current subscription; null: there never was one. */
export type HeldPlan = { plan: PlanId; status: SubscriptionStatus } | null

/** Whether a subscription opens something. */
export function opens(held: HeldPlan | undefined, what: Entitlement): boolean {
  if (!held) return false
  const condition: Condition = entitlements[what]
  return condition.plans.includes(held.plan) && condition.statuses.includes(held.status)
}
