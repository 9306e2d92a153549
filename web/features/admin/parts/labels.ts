import type { OrderAction } from '@flashsheet/contracts/subscription/limits'
import { type PlanId, plans } from '@flashsheet/contracts/plans'

export const actionNames: Record<OrderAction, string> = {
  created: 'Created',
  updated: 'Updated',
  renewed: 'Renewed',
  canceled: 'Canceled',
  reactivated: 'Reactivated',
  payment_failed: 'Payment failed',
  payment_succeeded: 'Payment succeeded',
  past_due: 'Past due',
  unpaid: 'Unpaid',
}

/** As in "Mara Quill subscribed to Complete Shading". */
export const actionVerbs: Record<OrderAction, string> = {
  created: 'subscribed to',
  updated: 'changed to',
  renewed: 'renewed',
  canceled: 'canceled',
  reactivated: 'reactivated',
  payment_failed: 'could not pay for',
  payment_succeeded: 'paid for',
  past_due: 'is past due on',
  unpaid: 'left unpaid',
}

export const planTone = (plan: PlanId): 'neutral' | 'scheduled' => (plans[plan].hasStudio ? 'scheduled' : 'neutral')

/** `+5.2%`, `−3.1%`, or `—` without a value to compare with. */
export function formatChange(percent: number | null): string {
  if (percent === null) return '—'
  return `${percent < 0 ? '−' : '+'}${formatPercent(Math.abs(percent))}`
}

/** `42.9%`. */
export function formatPercent(percent: number): string {
  return `${percent.toLocaleString('en-US', { maximumFractionDigits: 1 })}%`
}

/** `1 artist`, `2 artists`, `1,024 artists`. */
export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? singular : plural}`
}

/** The name, or 'Unknown User' without one; null is a deleted user. */
export const nameOf = (user: { name: string } | null): string => user?.name.trim() || 'Unknown User'

/** Shown under 'No … found' when a list is filtered. */
export const noMatchesText = 'Nothing matches your search and filters. Press Clear to show everything.'
