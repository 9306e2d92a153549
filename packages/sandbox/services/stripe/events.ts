import { queueDelivery } from './deliveries.ts'
import { apiVersion, newId, type Account, type StripeEvent, type Subscription } from './state.ts'

/** Stores an event with a snapshot of the object, and queues its delivery. */
export function emit(account: Account, type: string, object: object, previous?: Record<string, unknown>): void {
  const event: StripeEvent = {
    id: newId('evt_1'),
    object: 'event',
    api_version: apiVersion,
    created: account.now(),
    data: { object: snapshot(object) as Record<string, unknown>, ...(previous && { previous_attributes: previous }) },
    livemode: false,
    pending_webhooks: 0,
    request: { id: null, idempotency_key: null },
    type,
  }
  account.state.events[event.id] = event
  queueDelivery(account, event.id)
}

export function snapshot<T extends object>(object: T): T {
  return JSON.parse(JSON.stringify(object))
}

/** Changes a subscription and emits what changed. */
export function changeSubscription(
  account: Account,
  subscription: Subscription,
  change: (subscription: Subscription) => void,
): void {
  updateAndEmit(account, 'customer.subscription.updated', subscription, change)
}

/** Runs `change` on a stored object and emits `<type>` with `previous_attributes`, unless nothing changed. */
export function updateAndEmit<T extends object>(
  account: Account,
  type: string,
  object: T,
  change: (object: T) => void,
): void {
  const before = snapshot(object) as Record<string, unknown>
  change(object)
  const after = snapshot(object) as Record<string, unknown>
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  if (changed.length)
    emit(account, type, object, Object.fromEntries(changed.map((name) => [name, before[name] ?? null])))
}
