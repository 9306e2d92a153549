import { socialLimits } from './social/limits.ts'

/** Plan ids, in the order they are shown. Only this file compares plan ids (scripts/structure.ts checks it). */
export const planIds = ['social-line-work', 'complete-shading'] as const
export type PlanId = (typeof planIds)[number]

/** The only currency, because figures in several could not be added up. */
export const currencies = ['usd'] as const
export type Currency = (typeof currencies)[number]

type Plan = {
  id: PlanId
  name: string
  /** Shown below its name. */
  about: string
  /** The prefix of its figures' names: `completeShadingRevenue`. */
  figures: string
  /** US cents a month. */
  price: number
  currency: Currency
  mostPopular: boolean
  /** Website, gallery and bookings. */
  hasStudio: boolean
  features: readonly string[]
}

const socialAccounts = `${socialLimits.accounts} social accounts`

/** The plans and their facts, the smallest first. */
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
    features: [socialAccounts, 'Unlimited scheduled posts', 'One login'],
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
      socialAccounts,
      'Unlimited scheduled posts',
      'One login',
      'Website with profile and gallery',
      'Appointment booking',
    ],
  },
} as const satisfies Record<PlanId, Plan>

const studioPlans = planIds.filter((id) => plans[id].hasStudio)

/** The smallest plan with website, gallery and bookings. */
export const studioPlan: Plan = plans[studioPlans[0]!]

/** Stripe's other statuses are mapped to these five. */
export const subscriptionStatuses = ['active', 'past_due', 'canceled', 'unpaid', 'incomplete'] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

/** Statuses in which posts, site and bookings continue. A failed charge ends nothing until Stripe stops retrying it. */
export const liveStatuses: readonly SubscriptionStatus[] = ['active', 'past_due']

export function isLive(status: SubscriptionStatus | undefined): boolean {
  return status !== undefined && liveStatuses.includes(status)
}

type Condition = { plans: readonly PlanId[]; statuses: readonly SubscriptionStatus[] }

/** What a subscription opens, by plan and status. `db/entitlements.ts` makes SQL from it. */
export const entitlements = {
  /** The screens and calls of subscribers. Data of a larger plan can be read. */
  app: { plans: planIds, statuses: ['active'] },
  /** Changing website, gallery and bookings. */
  studio: { plans: studioPlans, statuses: ['active'] },
  /** Scheduled posts are published. */
  publishing: { plans: planIds, statuses: liveStatuses },
  /** The site is public and bookable; otherwise it shows its holding page. */
  publicSite: { plans: studioPlans, statuses: liveStatuses },
} as const satisfies Record<string, Condition>
export type Entitlement = keyof typeof entitlements

/** Plan and status of an artist's current subscription; null: none. */
export type HeldPlan = { plan: PlanId; status: SubscriptionStatus } | null

/** Whether a subscription opens something. */
export function isEntitled(held: HeldPlan | undefined, what: Entitlement): boolean {
  if (!held) return false
  const condition: Condition = entitlements[what]
  return condition.plans.includes(held.plan) && condition.statuses.includes(held.status)
}
