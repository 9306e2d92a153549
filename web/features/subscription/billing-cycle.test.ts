import { type SubscriptionStatus, subscriptionStatuses } from '@flashsheet/contracts/plans'
import type { Subscription } from '@flashsheet/contracts/subscription/schema'
import { describe, expect, test } from 'vitest'
import { billingCycle, cycleText, isChange, planButton, planChange, statusBadges } from './billing-cycle.ts'

const period = { currentPeriodStart: '2026-11-01T10:00:00.000Z', currentPeriodEnd: '2026-12-01T10:00:00.000Z' }

describe('the billing cycle', () => {
  test.each([
    ['its first moment', '2026-11-01T10:00:00Z', '30 days left · 0%'],
    ['a clock that is behind', '2026-10-30T10:00:00Z', '32 days left · 0%'],
    ['the middle', '2026-11-16T10:00:00Z', '15 days left · 50%'],
    ['a part of a day', '2026-11-16T11:00:00Z', '15 days left · 50%'],
    ['the last day', '2026-12-01T09:00:00Z', '1 day left · 99%'],
    ['its end', '2026-12-01T10:00:00Z', 'Ends today · 100%'],
    ['a renewal that Stripe has not reported yet', '2026-12-02T10:00:00Z', 'Ends today · 100%'],
  ])('at %s (%s) reads "%s"', (_what, now, words) => {
    const cycle = billingCycle(period, new Date(now))
    expect(cycle && cycleText(cycle)).toBe(words)
  })

  test('is undefined until Stripe has reported the period', () => {
    expect(billingCycle({ ...period, currentPeriodEnd: null }, new Date())).toBeUndefined()
    expect(billingCycle({ ...period, currentPeriodStart: null }, new Date())).toBeUndefined()
  })
})

describe("a plan's button", () => {
  const subscription = (status: SubscriptionStatus): Subscription => ({
    plan: 'social-line-work',
    status,
    cancelAtPeriodEnd: false,
    ...period,
  })

  test('offers the plans that the artist does not have', () => {
    expect(planButton(null, 'social-line-work')).toEqual({ label: 'Subscribe Now', disabled: false })
    for (const status of subscriptionStatuses)
      expect(planButton(subscription(status), 'complete-shading')).toEqual({ label: 'Subscribe Now', disabled: false })
  })

  test.each([
    ['active', { label: 'Current Plan', disabled: true }],
    ['past_due', { label: 'Current Plan', disabled: true }],
    ['canceled', { label: 'Resubscribe', disabled: false }],
    ['unpaid', { label: 'Resubscribe', disabled: false }],
    ['incomplete', { label: 'Resubscribe', disabled: false }],
  ] as const)('on the current plan while it is %s is %j', (status, button) => {
    expect(planButton(subscription(status), 'social-line-work')).toEqual(button)
  })
})

describe('the other plan', () => {
  const subscribed = (changes: Partial<Subscription>): Subscription => ({
    plan: 'social-line-work',
    status: 'active',
    cancelAtPeriodEnd: false,
    ...period,
    ...changes,
  })

  test('is a plan change while a subscription is live, and a checkout otherwise', () => {
    expect(subscriptionStatuses.filter((status) => isChange(subscribed({ status }), 'complete-shading'))).toEqual([
      'active',
      'past_due',
    ])
    expect(isChange(subscribed({}), 'social-line-work')).toBe(false)
    expect(isChange(null, 'complete-shading')).toBe(false)
  })

  test('is disabled while a payment is open or the subscription is ending', () => {
    expect(planChange(subscribed({}), 'complete-shading')).toMatchObject({
      disabled: false,
      isDowngrade: false,
      losesStudio: false,
    })
    expect(planChange(subscribed({ plan: 'complete-shading' }), 'social-line-work')).toMatchObject({
      disabled: false,
      isDowngrade: true,
      losesStudio: true,
    })
    expect(planChange(subscribed({ status: 'past_due' }), 'complete-shading')).toMatchObject({
      disabled: true,
      note: expect.stringContaining('Pay'),
    })
    expect(planChange(subscribed({ cancelAtPeriodEnd: true }), 'complete-shading')).toMatchObject({
      disabled: true,
      note: expect.stringContaining('Reactivate'),
    })
  })
})

test('each status has a colour and a label', () => {
  const tones = Object.fromEntries(Object.entries(statusBadges).map(([status, { tone }]) => [status, tone]))
  expect(tones).toEqual({
    active: 'success',
    canceled: 'danger',
    past_due: 'warning',
    unpaid: 'danger',
    incomplete: 'secondary',
  })
  for (const [status, { label }] of Object.entries(statusBadges))
    expect(label.toLowerCase()).toBe(status.replace('_', ' '))
})
