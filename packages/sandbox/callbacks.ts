import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ControlError } from './control-body.ts'
import { facebook } from './services/facebook/state.ts'
import { revokeGrants } from './services/facebook/access.ts'
import { instagram } from './services/instagram/state.ts'
import { revokeGrant, tiktokState } from './services/tiktok/state.ts'
import type { SandboxContext } from './context.ts'

/** Webhook and callback addresses, as an app registers them at the networks. */
export type Callbacks = { tiktok: string; metaDeauthorize: string; metaDeletion: string }

type Sender = { callbacks: Callbacks; stop: AbortController; running: Set<Promise<void>> }
const senders = new WeakMap<SandboxContext, Sender>()

/** Delays before the second, third … attempt. TikTok retries for 72 hours. */
const retryDelaysMs = [1_000, 5_000, 30_000]

/** Starts delivering callbacks. Returns what stops it. */
export function startCallbacks(sandbox: SandboxContext, callbacks: Callbacks): () => Promise<void> {
  const sender: Sender = { callbacks, stop: new AbortController(), running: new Set() }
  senders.set(sandbox, sender)
  return async () => {
    sender.stop.abort()
    senders.delete(sandbox)
    await Promise.allSettled(sender.running)
  }
}

/** Posts an event to the app's webhook. Each attempt has its own signature. Does nothing when no webhook is set. */
export function sendTiktokEvent(
  sandbox: SandboxContext,
  notification: { clientKey: string; openId: string; event: string; content: Record<string, unknown> },
): void {
  const sender = senders.get(sandbox)
  const secret = tiktokState(sandbox).secrets[notification.clientKey]
  if (!sender || secret === undefined) return
  const body = JSON.stringify({
    client_key: notification.clientKey,
    event: notification.event,
    create_time: Math.floor(sandbox.now() / 1000),
    user_openid: notification.openId,
    content: JSON.stringify(notification.content),
  })
  const deliver = async (): Promise<void> => {
    for (const delayMs of [...retryDelaysMs, undefined]) {
      const at = Math.floor(sandbox.now() / 1000)
      const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
      const answer = await send(sender, sender.callbacks.tiktok, body, {
        'content-type': 'application/json',
        'tiktok-signature': `t=${at},s=${signature}`,
      })
      if (answer?.status === 200 || delayMs === undefined || sender.stop.signal.aborted) return
      await sleep(delayMs, undefined, { signal: sender.stop.signal, ref: false }).catch(() => {})
    }
  }
  const delivery = deliver()
  sender.running.add(delivery)
  void delivery.finally(() => sender.running.delete(delivery))
}

type CallbackKind = 'deauthorize' | 'data-deletion'
type CallbackAnswer = { status: number; body: unknown }

/**
 * Acts as a person who removes the app at a network, or requests the deletion of their data. Returns the app's answer;
 * throws why nothing was sent. `userId` is the identity of the consent page.
 */
export async function sendPersonAction(
  sandbox: SandboxContext,
  platform: string,
  kind: CallbackKind,
  userId: string,
): Promise<CallbackAnswer> {
  if (platform === 'tiktok') {
    if (kind !== 'deauthorize') throw new ControlError('TikTok has no callback for that.')
    const grants = Object.values(tiktokState(sandbox).grants).filter(
      (grant) => grant.openId === userId && !grant.revoked,
    )
    for (const grant of grants) {
      revokeGrant(sandbox, grant.id)
      sendTiktokEvent(sandbox, {
        clientKey: grant.clientKey,
        openId: userId,
        event: 'authorization.removed',
        content: { reason: 1 },
      })
    }
    if (grants.length === 0) throw new ControlError(`Nobody gave a permission as ${userId}.`)
    return { status: 200, body: null }
  }
  const sender = senders.get(sandbox)
  if (!sender) throw new ControlError('The app has set no callbacks.')
  const signedUserId =
    platform === 'facebook'
      ? facebook(sandbox).users[userId] && userId
      : platform === 'instagram'
        ? instagram(sandbox).accounts[userId]?.scopedId
        : undefined
  const [app] = Object.entries(platform === 'facebook' ? facebook(sandbox).apps : instagram(sandbox).apps)
  if (signedUserId === undefined || !app)
    throw new ControlError(`There is nobody called ${userId} at ${platform}, or no app yet.`)
  const [appId, { secret }] = app
  if (kind === 'deauthorize' && platform === 'facebook') revokeGrants(sandbox, appId, userId)
  if (kind === 'deauthorize' && platform === 'instagram') {
    for (const token of Object.values(instagram(sandbox).tokens)) if (token.accountId === userId) token.dead = 'revoked'
  }
  const payload = Buffer.from(
    JSON.stringify({ user_id: signedUserId, algorithm: 'HMAC-SHA256', issued_at: Math.floor(sandbox.now() / 1000) }),
  ).toString('base64url')
  const signature = createHmac('sha256', secret).update(payload).digest('base64url')
  const url = kind === 'deauthorize' ? sender.callbacks.metaDeauthorize : sender.callbacks.metaDeletion
  const form = new URLSearchParams({ signed_request: `${signature}.${payload}` }).toString()
  const answer = await send(sender, url, form, { 'content-type': 'application/x-www-form-urlencoded' })
  if (!answer) throw new ControlError(`Nobody answers at ${url}.`)
  return answer
}

async function send(
  sender: Sender,
  url: string,
  body: string,
  headers: Record<string, string>,
): Promise<CallbackAnswer | undefined> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      body,
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([sender.stop.signal, AbortSignal.timeout(10_000)]),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      body: /json/.test(answer.headers.get('content-type') ?? '') ? JSON.parse(text) : text,
    }
  } catch {
    return undefined
  }
}
