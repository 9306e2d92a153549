export const subscriptionLimits = { refundWindowDays: 7, dataKeptDays: 30 } as const

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
