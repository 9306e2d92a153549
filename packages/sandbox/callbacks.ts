import { createHmac } from 'node:crypto'
import { facebook } from './services/facebook/state.ts'
import { revokeGrants } from './services/facebook/access.ts'
import { instagram } from './services/instagram/state.ts'
import { revokeGrant, tiktokState } from './services/tiktok/state.ts'
import type { SandboxContext } from './context.ts'

/** Webhook and callback addresses, as an app registers them at the networks. */
export type Callbacks = { tiktok: string; metaDeauthorize: string; metaDeletion: string }

type Line = { callbacks: Callbacks; stop: AbortController; running: Set<Promise<void>> }
const lines = new WeakMap<SandboxContext, Line>()

/** Delays before the second, third … attempt, in ms. TikTok retries for 72 hours. */
const gaps = [1_000, 5_000, 30_000]

/** Starts delivering callbacks. Returns what stops it. */
export function startCallbacks(sandbox: SandboxContext, callbacks: Callbacks): () => Promise<void> {
  const line: Line = { callbacks, stop: new AbortController(), running: new Set() }
  lines.set(sandbox, line)
  return async () => {
    line.stop.abort()
    lines.delete(sandbox)
    await Promise.allSettled(line.running)
  }
}

/** Posts an event to the app's webhook, signed anew at each attempt. Does nothing when no webhook is set. */
export function sendTiktokEvent(
  sandbox: SandboxContext,
  told: { clientKey: string; openId: string; event: string; content: Record<string, unknown> },
): void {
  const line = lines.get(sandbox)
  const secret = tiktokState(sandbox).secrets[told.clientKey]
  if (!line || secret === undefined) return
  const body = JSON.stringify({
    client_key: told.clientKey,
    event: told.event,
    create_time: Math.floor(sandbox.now() / 1000),
    user_openid: told.openId,
    content: JSON.stringify(told.content),
  })
  const deliver = async (): Promise<void> => {
    for (const gap of [...gaps, undefined]) {
      const at = Math.floor(sandbox.now() / 1000)
      const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
      const answer = await send(line, line.callbacks.tiktok, body, {
        'content-type': 'application/json',
        'tiktok-signature': `t=${at},s=${signature}`,
      })
      if (answer?.status === 200 || gap === undefined || line.stop.signal.aborted) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, gap)
        timer.unref()
        line.stop.signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
      })
    }
  }
  const delivery = deliver()
  line.running.add(delivery)
  void delivery.finally(() => line.running.delete(delivery))
}

export type CallbackKind = 'deauthorize' | 'data-deletion'
export type CallbackAnswer = { status: number; body: unknown }

/**
 * Plays a person who removes the app at a network, or asks it to delete their data. Returns what the app answered, or a
 * sentence that says why nothing was sent. `userId` is the identity of the consent page.
 */
export async function sendPersonAction(
  sandbox: SandboxContext,
  platform: string,
  kind: CallbackKind,
  userId: string,
): Promise<CallbackAnswer | string> {
  if (platform === 'tiktok') {
    if (kind !== 'deauthorize') return 'TikTok has no callback for that.'
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
    return grants.length > 0 ? { status: 200, body: null } : `Nobody gave a permission as ${userId}.`
  }
  const line = lines.get(sandbox)
  if (!line) return 'The app has set no callbacks.'
  const known =
    platform === 'facebook'
      ? facebook(sandbox).users[userId] && userId
      : platform === 'instagram'
        ? instagram(sandbox).accounts[userId]?.scopedId
        : undefined
  const [app] = Object.entries(platform === 'facebook' ? facebook(sandbox).apps : instagram(sandbox).apps)
  if (known === undefined || !app) return `There is nobody called ${userId} at ${platform}, or no app yet.`
  const [appId, { secret }] = app
  if (kind === 'deauthorize' && platform === 'facebook') revokeGrants(sandbox, appId, userId)
  if (kind === 'deauthorize' && platform === 'instagram') {
    for (const token of Object.values(instagram(sandbox).tokens)) if (token.accountId === userId) token.dead = 'revoked'
  }
  const payload = Buffer.from(
    JSON.stringify({ user_id: known, algorithm: 'HMAC-SHA256', issued_at: Math.floor(sandbox.now() / 1000) }),
  ).toString('base64url')
  const signature = createHmac('sha256', secret).update(payload).digest('base64url')
  const url = kind === 'deauthorize' ? line.callbacks.metaDeauthorize : line.callbacks.metaDeletion
  const form = new URLSearchParams({ signed_request: `${signature}.${payload}` }).toString()
  return (
    (await send(line, url, form, { 'content-type': 'application/x-www-form-urlencoded' })) ??
    `Nobody answers at ${url}.`
  )
}

async function send(
  line: Line,
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
      signal: AbortSignal.any([line.stop.signal, AbortSignal.timeout(10_000)]),
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
