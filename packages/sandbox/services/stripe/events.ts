import { deliverSoon } from './deliveries.ts'
import { apiVersion, newId, type Account, type StripeEvent } from './state.ts'

/** Writes an event with the object as it is now, and sends it on its way to the webhook. */
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
  deliverSoon(account, event.id)
}

export function snapshot<T extends object>(object: T): T {
  return JSON.parse(JSON.stringify(object))
}

/** Runs `change` on a stored object and tells what changed as `<type>` with `previous_attributes`; tells nothing when nothing did. */
export function changing<T extends object>(
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
