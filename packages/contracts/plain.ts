/**
 * Plain values of several nouns, without a schema: for the landing page and the list of routes, which are loaded before
 * anything else. Their nouns (`subscription`, `social`, `media`, `posts`, `admin`) hand them on, as they do what stands in
 * `plain/<noun>.ts`: words and rules for the screens of the signed-in app, which leave checking to the server.
 */

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

export const subscriptionLimits = { refundWindowDays: 7, dataKeptDays: 30 } as const

/** The five states the product knows; Stripe's others are mapped onto them. */
export const subscriptionStatuses = ['active', 'past_due', 'canceled', 'unpaid', 'incomplete'] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

export const orderActions = [
  'created',
  'updated',
  'renewed',
  'canceled',
  'reactivated',
  'payment_failed',
  'payment_succeeded',
  'past_due',
  'unpaid',
] as const
export type OrderAction = (typeof orderActions)[number]

/** Network ids, in the order they are shown. */
export const platforms = ['facebook', 'instagram', 'tiktok', 'youtube', 'linkedin'] as const
export type Platform = (typeof platforms)[number]

export const platformNames: Record<Platform, string> = {
  facebook: 'Facebook',
  instagram: 'Instagram',
  tiktok: 'TikTok',
  youtube: 'YouTube',
  linkedin: 'LinkedIn',
}

export const socialLimits = { accounts: 5 } as const

/** Bytes and seconds, all inclusive. */
export const mediaLimits = {
  imageBytes: 20_971_520,
  videoBytes: 314_572_800,
  videoSeconds: 180,
  libraryItems: 100,
  /** Uploads of an artist that may be unfinished at a time, and each of them takes a place in the library. */
  unfinishedUploads: 20,
  imagesPerPost: 10,
  /** Bytes a tus client should send per request; a broken one keeps what arrived, so they need not be small. */
  chunkBytes: 33_554_432,
  /** Pixels of a picture: more than any phone writes into 20 MB, less than a bomb needs. */
  imagePixels: 120_000_000,
  /** Bytes of a poster a browser drew from a video. */
  posterBytes: 1_048_576,
  /** Hours an upload may stay unfinished. */
  uploadHours: 24,
} as const

/** What one request may ask (docs/product/limits.md). */
export const requestLimits = {
  /** Calls in one tRPC batch. */
  batchCalls: 20,
  /** Characters of a path; one of /trpc or /files/public may be longer. */
  pathCharacters: 200,
} as const

export const postStatuses = ['scheduled', 'posted', 'failed'] as const
export type PostStatus = (typeof postStatuses)[number]

/** Limits of the lists in the admin area. */
export const adminLimits = {
  pageSize: 10,
  pageSizeMax: 100,
  pageMax: 1_000_000,
  searchMax: 200,
  recentOrders: 5,
  dashboardUsers: 5,
} as const
