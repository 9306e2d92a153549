import { createHmac } from 'node:crypto'
import type { World } from '../../world.ts'
import type { Account } from './state.ts'

export type Webhook = { url: string; secret: string }

/** Waits before the second, third … attempt, in ms; Stripe's are longer, their number is alike. */
const gaps = [1_000, 5_000, 30_000, 120_000, 600_000]

type Post = {
  webhook: Webhook
  timer: NodeJS.Timeout | undefined
  running: Promise<void> | undefined
  stop: AbortController
}
const posts = new WeakMap<World, Post>()

/** Begins delivering, also what an earlier run left undelivered. Returns what stops it. */
export function startDeliveries(account: Account, webhook: Webhook): () => Promise<void> {
  const post: Post = { webhook, timer: undefined, running: undefined, stop: new AbortController() }
  posts.set(account.world, post)
  wake(account, post)
  return async () => {
    post.stop.abort()
    clearTimeout(post.timer)
    posts.delete(account.world)
    await post.running
  }
}

/** Puts an event in the queue; without a webhook nothing waits for it. */
export function deliverSoon(account: Account, id: string): void {
  const post = posts.get(account.world)
  if (!post) return
  account.state.deliveries[id] = { attempts: 0, nextAt: account.world.now() }
  account.state.events[id]!.pending_webhooks = 1
  wake(account, post)
}

/** Sends the events again, one after the other in the given order, whatever came of them before. Waits for each answer. */
export async function deliverAgain(account: Account, ids: readonly string[]): Promise<void> {
  const post = posts.get(account.world)
  if (!post) return
  for (const id of ids) await attempt(account, post, id)
  account.world.changed()
}

function wake(account: Account, post: Post): void {
  if (post.stop.signal.aborted || post.running) return
  clearTimeout(post.timer)
  const due = Object.values(account.state.deliveries).flatMap((one) => (one.nextAt === null ? [] : [one.nextAt]))
  if (!due.length) return
  const wait = Math.max(0, Math.min(...due) - account.world.now())
  post.timer = setTimeout(() => {
    post.running = round(account, post).finally(() => {
      post.running = undefined
      wake(account, post)
    })
  }, wait)
  post.timer.unref()
}

/** One pass over all that is due, in the order of the events. */
async function round(account: Account, post: Post): Promise<void> {
  const now = account.world.now()
  const due = Object.entries(account.state.deliveries).filter(([, one]) => one.nextAt !== null && one.nextAt <= now)
  for (const [id] of due) {
    if (post.stop.signal.aborted) return
    await attempt(account, post, id)
  }
  account.world.changed()
}

async function attempt(account: Account, post: Post, id: string): Promise<void> {
  const event = account.state.events[id]
  if (!event) return
  const ok = await send(post, JSON.stringify(event, null, 2), account.world.now())
  // a stop or a reset may have come while the other side was thinking
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
      nextAt: gap === undefined ? null : account.world.now() + gap,
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
