import { createHmac } from 'node:crypto'
import type { SandboxContext } from '../../context.ts'
import type { Account } from './state.ts'

export type Webhook = { url: string; secret: string }

/** Delays before the second, third … attempt, in ms. Stripe's are longer, their number is similar. */
const gaps = [1_000, 5_000, 30_000, 120_000, 600_000]

type Post = {
  webhook: Webhook
  timer: NodeJS.Timeout | undefined
  running: Promise<void> | undefined
  stop: AbortController
}
const posts = new WeakMap<SandboxContext, Post>()

/** Starts delivering, including what an earlier run left undelivered. Returns what stops it. */
export function startDeliveries(account: Account, webhook: Webhook): () => Promise<void> {
  const post: Post = { webhook, timer: undefined, running: undefined, stop: new AbortController() }
  posts.set(account.sandbox, post)
  wake(account, post)
  return async () => {
    post.stop.abort()
    clearTimeout(post.timer)
    posts.delete(account.sandbox)
    await post.running
  }
}

/** Queues an event for delivery; does nothing without a webhook. */
export function queueDelivery(account: Account, id: string): void {
  const post = posts.get(account.sandbox)
  if (!post) return
  account.state.deliveries[id] = { attempts: 0, nextAt: account.sandbox.now() }
  account.state.events[id]!.pending_webhooks = 1
  wake(account, post)
}

/**
 * Sends events again, one after the other in the given order, whether they were delivered or not. Waits for each
 * answer.
 */
export async function redeliver(account: Account, ids: readonly string[]): Promise<void> {
  const post = posts.get(account.sandbox)
  if (!post) return
  for (const id of ids) await attempt(account, post, id)
  account.sandbox.changed()
}

function wake(account: Account, post: Post): void {
  if (post.stop.signal.aborted || post.running) return
  clearTimeout(post.timer)
  const due = Object.values(account.state.deliveries).flatMap((one) => (one.nextAt === null ? [] : [one.nextAt]))
  if (!due.length) return
  const wait = Math.max(0, Math.min(...due) - account.sandbox.now())
  post.timer = setTimeout(() => {
    post.running = deliverDue(account, post).finally(() => {
      post.running = undefined
      wake(account, post)
    })
  }, wait)
  post.timer.unref()
}

/** Delivers everything that is due, in the order of the events. */
async function deliverDue(account: Account, post: Post): Promise<void> {
  const now = account.sandbox.now()
  const due = Object.entries(account.state.deliveries).filter(([, one]) => one.nextAt !== null && one.nextAt <= now)
  for (const [id] of due) {
    if (post.stop.signal.aborted) return
    await attempt(account, post, id)
  }
  account.sandbox.changed()
}

async function attempt(account: Account, post: Post, id: string): Promise<void> {
  const event = account.state.events[id]
  if (!event) return
  const ok = await send(post, JSON.stringify(event, null, 2), account.sandbox.now())
  // A stop or a reset may have happened while the request was under way.
  const known = account.state.events[id]
  if (post.stop.signal.aborted || !known) return
  const before = account.state.deliveries[id]
  if (ok) {
    delete account.state.deliveries[id]
    known.pending_webhooks = 0
  } else if (before) {
    const gap = gaps[before.attempts]
    account.state.deliveries[id] = {
      attempts: before.attempts + 1,
      nextAt: gap === undefined ? null : account.sandbox.now() + gap,
    }
  }
}

async function send({ webhook, stop }: Post, payload: string, now: number): Promise<boolean> {
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
