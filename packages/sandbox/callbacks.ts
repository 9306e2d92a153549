import { createHmac } from 'node:crypto'
import { facebook } from './services/facebook/state.ts'
import { revokeGrants } from './services/facebook/access.ts'
import { instagram } from './services/instagram/state.ts'
import { revokeGrant, tiktokState } from './services/tiktok/state.ts'
import type { World } from './world.ts'

/** Where the networks call back, as an app says in its settings there. */
export type Callbacks = { tiktok: string; metaDeauthorize: string; metaDeletion: string }

type Line = { callbacks: Callbacks; stop: AbortController; running: Set<Promise<void>> }
const lines = new WeakMap<World, Line>()

/** Waits before the second, third … attempt, in ms; TikTok goes on for 72 hours. */
const gaps = [1_000, 5_000, 30_000]

/** Begins to call back. Returns what ends it. */
export function startCallbacks(world: World, callbacks: Callbacks): () => Promise<void> {
  const line: Line = { callbacks, stop: new AbortController(), running: new Set() }
  lines.set(world, line)
  return async () => {
    line.stop.abort()
    lines.delete(world)
    await Promise.allSettled(line.running)
  }
}

/** Posts an event to the app's webhook, signed anew at each attempt. Without a webhook nobody hears it. */
export function tellTiktok(
  world: World,
  told: { clientKey: string; openId: string; event: string; content: Record<string, unknown> },
): void {
  const line = lines.get(world)
  const secret = tiktokState(world).secrets?.[told.clientKey]
  if (!line || secret === undefined) return
  const body = JSON.stringify({
    client_key: told.clientKey,
    event: told.event,
    create_time: Math.floor(world.now() / 1000),
    user_openid: told.openId,
    content: JSON.stringify(told.content),
  })
  const deliver = async (): Promise<void> => {
    for (const gap of [...gaps, undefined]) {
      const at = Math.floor(world.now() / 1000)
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
 * A person removes the app at a network, or asks it that the app deletes what it has of them; answers what the app said,
 * or in words why nothing was sent. `userId` is the identity of the consent page.
 */
export async function personActs(
  world: World,
  platform: string,
  kind: CallbackKind,
  userId: string,
): Promise<CallbackAnswer | string> {
  if (platform === 'tiktok') {
    if (kind !== 'deauthorize') return 'TikTok has no callback for that.'
    const grants = Object.values(tiktokState(world).grants).filter((grant) => grant.openId === userId && !grant.revoked)
    for (const grant of grants) {
      revokeGrant(world, grant.id)
      tellTiktok(world, {
        clientKey: grant.clientKey,
        openId: userId,
        event: 'authorization.removed',
        content: { reason: 1 },
      })
    }
    return grants.length > 0 ? { status: 200, body: null } : `Nobody gave a permission as ${userId}.`
  }
  const line = lines.get(world)
  if (!line) return 'The app has set no callbacks.'
  const known =
    platform === 'facebook'
      ? facebook(world).users[userId] && userId
      : platform === 'instagram'
        ? instagram(world).accounts[userId]?.scopedId
        : undefined
  const [app] = Object.entries(platform === 'facebook' ? facebook(world).apps : instagram(world).apps)
  if (known === undefined || !app) return `There is nobody called ${userId} at ${platform}, or no app yet.`
  const [appId, { secret }] = app
  if (kind === 'deauthorize' && platform === 'facebook') revokeGrants(world, appId, userId)
  if (kind === 'deauthorize' && platform === 'instagram') {
    for (const token of Object.values(instagram(world).tokens)) if (token.accountId === userId) token.dead = 'revoked'
  }
  const payload = Buffer.from(
    JSON.stringify({ user_id: known, algorithm: 'HMAC-SHA256', issued_at: Math.floor(world.now() / 1000) }),
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
