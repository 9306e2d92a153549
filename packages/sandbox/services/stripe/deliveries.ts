import { createHmac } from 'node:crypto'
import type { SandboxContext } from '../../context.ts'
import type { Account } from './state.ts'

export type Webhook = { url: string; secret: string }

/** Delays before the second, third … attempt. Stripe's are longer; their number is similar. */
const retryDelaysMs = [1_000, 5_000, 30_000, 120_000, 600_000]

type Sender = {
  webhook: Webhook
  timer: NodeJS.Timeout | undefined
  running: Promise<void> | undefined
  stop: AbortController
}
const senders = new WeakMap<SandboxContext, Sender>()

/** Starts delivering, also the events that an earlier run did not deliver. Returns a function that stops it. */
export function startDeliveries(account: Account, webhook: Webhook): () => Promise<void> {
  const sender: Sender = { webhook, timer: undefined, running: undefined, stop: new AbortController() }
  senders.set(account.sandbox, sender)
  scheduleNext(account, sender)
  return async () => {
    sender.stop.abort()
    clearTimeout(sender.timer)
    senders.delete(account.sandbox)
    await sender.running
  }
}

/** Queues an event for delivery; does nothing without a webhook. */
export function queueDelivery(account: Account, id: string): void {
  const sender = senders.get(account.sandbox)
  if (!sender) return
  account.state.deliveries[id] = { attempts: 0, nextAt: account.sandbox.now() }
  account.state.events[id]!['pending_webhooks'] = 1
  scheduleNext(account, sender)
}

/**
 * Sends events again, delivered or not, one after the other in this order. Waits for each answer.
 */
export async function redeliver(account: Account, ids: readonly string[]): Promise<void> {
  const sender = senders.get(account.sandbox)
  if (!sender) return
  for (const id of ids) await attempt(account, sender, id)
  account.sandbox.changed()
}

function scheduleNext(account: Account, sender: Sender): void {
  if (sender.stop.signal.aborted || sender.running) return
  clearTimeout(sender.timer)
  const due = Object.values(account.state.deliveries).flatMap((one) => (one.nextAt === null ? [] : [one.nextAt]))
  if (!due.length) return
  const wait = Math.max(0, Math.min(...due) - account.sandbox.now())
  sender.timer = setTimeout(() => {
    sender.running = deliverDue(account, sender).finally(() => {
      sender.running = undefined
      scheduleNext(account, sender)
    })
  }, wait)
  sender.timer.unref()
}

/** Delivers everything that is due, in the order of the events. */
async function deliverDue(account: Account, sender: Sender): Promise<void> {
  const now = account.sandbox.now()
  const due = Object.entries(account.state.deliveries).filter(([, one]) => one.nextAt !== null && one.nextAt <= now)
  for (const [id] of due) {
    if (sender.stop.signal.aborted) return
    await attempt(account, sender, id)
  }
  account.sandbox.changed()
}

async function attempt(account: Account, sender: Sender, id: string): Promise<void> {
  const event = account.state.events[id]
  if (!event) return
  const ok = await send(sender, JSON.stringify(event, null, 2), account.sandbox.now())
  // A stop or a reset may have happened during the request.
  const known = account.state.events[id]
  if (sender.stop.signal.aborted || !known) return
  const before = account.state.deliveries[id]
  if (ok) {
    delete account.state.deliveries[id]
    known['pending_webhooks'] = 0
  } else if (before) {
    const delayMs = retryDelaysMs[before.attempts]
    account.state.deliveries[id] = {
      attempts: before.attempts + 1,
      nextAt: delayMs === undefined ? null : account.sandbox.now() + delayMs,
    }
  }
}

async function send({ webhook, stop }: Sender, payload: string, now: number): Promise<boolean> {
  const at = Math.floor(now / 1000)
  const signature = createHmac('sha256', webhook.secret).update(`${at}.${payload}`).digest('hex')
  try {
    const answer = await fetch(webhook.url, {
      method: 'POST',
      body: payload,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': `t=${at},v1=${signature}`,
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      },
      redirect: 'manual',
      signal: AbortSignal.any([stop.signal, AbortSignal.timeout(20_000)]),
    })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}
