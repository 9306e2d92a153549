import type { Platform } from '@flashsheet/contracts/networks'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

/** A network's callback about one person, and its time. */
export type PersonCallback = { platform: Platform; userId: string; at: Date }

const Payload = z.object({
  algorithm: z.string().refine((name) => name.toUpperCase() === 'HMAC-SHA256'),
  user_id: z.string().min(1).max(100),
  issued_at: z.int().positive(),
})

/**
 * Verifies a `signed_request`. Facebook and Instagram sign with the secret of their own app, so the matching secret
 * identifies the network. Undefined: neither matches, or it is malformed.
 */
export function openSignedRequest(
  signed: string,
  secrets: readonly (readonly [Platform, string])[],
): PersonCallback | undefined {
  const [signature = '', payload = '', ...rest] = signed.split('.')
  if (rest.length > 0 || payload === '') return undefined
  const given = Buffer.from(signature, 'base64url')
  const signer = secrets.find(([, secret]) => isEqual(given, createHmac('sha256', secret).update(payload).digest()))
  if (!signer) return undefined
  // A numeric id may exceed the precision of JSON numbers.
  const text = Buffer.from(payload, 'base64url')
    .toString('utf8')
    .replace(/("user_id"\s*:\s*)(\d+)/, '$1"$2"')
  const parsed = Payload.safeParse(parse(text))
  return parsed.success
    ? { platform: signer[0], userId: parsed.data.user_id, at: new Date(parsed.data.issued_at * 1000) }
    : undefined
}

export type TiktokEvent = { event: string; openId: string; at: Date; publishId: string | undefined }

const TiktokBody = z.object({
  event: z.string(),
  create_time: z.int().positive(),
  user_openid: z.string(),
  content: z.string(),
})
const TiktokContent = z.object({ publish_id: z.string().max(64).optional() })

/** How many seconds a signature is valid: TikTok signs each delivery again, so an older one is a replay. */
const toleranceSeconds = 300

/** Verifies an event of TikTok: `t=<unix>,s=<hex>` over `t.body` with the app's secret. Undefined for anything else. */
export function openTiktokEvent(raw: string, header: string, secret: string, now: Date): TiktokEvent | undefined {
  const fields = new Map(
    header
      .split(',')
      .map((part) => [part.slice(0, part.indexOf('=')).trim(), part.slice(part.indexOf('=') + 1).trim()]),
  )
  const at = fields.get('t') ?? ''
  const expected = createHmac('sha256', secret).update(`${at}.${raw}`).digest()
  if (!/^\d{1,12}$/.test(at) || !isEqual(Buffer.from(fields.get('s') ?? '', 'hex'), expected)) return undefined
  if (Math.abs(now.getTime() / 1000 - Number(at)) > toleranceSeconds) return undefined
  const body = TiktokBody.safeParse(parse(raw))
  if (!body.success) return undefined
  const content = TiktokContent.safeParse(parse(body.data.content))
  return {
    event: body.data.event,
    openId: body.data.user_openid,
    at: new Date(body.data.create_time * 1000),
    publishId: content.data?.publish_id,
  }
}

function isEqual(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
