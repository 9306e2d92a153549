import { TimeZone } from '@flashsheet/contracts/auth/schema'
import { z } from 'zod'
import ipaddr from 'ipaddr.js'

const roles = ['all', 'web', 'worker', 'sandbox'] as const

/** The production host of each outside service, by the setting that replaces it. */
export const externalHosts = {
  FACEBOOK_DIALOG: 'https://www.facebook.com',
  FACEBOOK_GRAPH: 'https://graph.facebook.com',
  FACEBOOK_GRAPH_VIDEO: 'https://graph-video.facebook.com',
  FACEBOOK_RUPLOAD: 'https://rupload.facebook.com',
  INSTAGRAM_WWW: 'https://www.instagram.com',
  INSTAGRAM_API: 'https://api.instagram.com',
  INSTAGRAM_GRAPH: 'https://graph.instagram.com',
  TIKTOK_WWW: 'https://www.tiktok.com',
  TIKTOK_API: 'https://open.tiktokapis.com',
  GOOGLE_ACCOUNTS: 'https://accounts.google.com',
  GOOGLE_TOKEN: 'https://oauth2.googleapis.com',
  GOOGLE_CERTS: 'https://www.googleapis.com',
  YOUTUBE_API: 'https://www.googleapis.com',
  YOUTUBE_UPLOAD: 'https://www.googleapis.com',
  LINKEDIN_WWW: 'https://www.linkedin.com',
  LINKEDIN_API: 'https://api.linkedin.com',
  PLACES_API: 'https://places.googleapis.com',
} as const

/** More targets would only wait for the process's ten connections to Postgres. */
const maxConcurrency = 500

// The text of each rule completes the sentence "<name> must be …".
const choice = <const T extends readonly [string, ...string[]]>(allowed: T) =>
  z.enum(allowed, { error: `one of ${allowed.join(', ')}` })
const onOff = choice(['on', 'off'])
const format = (isValid: (value: string) => boolean, description: string) => z.string().refine(isValid, description)
const whole = format((value) => Number.isInteger(Number(value)) && Number(value) >= 0, 'a whole number').transform(
  Number,
)
/** A port to listen on. A `min` of 0 allows any free port. */
const listenPort = (min = 1) => whole.refine((value) => value >= min && value <= 65_535, `a port from ${min} to 65535`)
const hasScheme = (address: string, schemes: readonly string[]): boolean =>
  URL.canParse(address) && schemes.includes(new URL(address).protocol)
const origin = format((value) => hasScheme(value, ['http:', 'https:']), 'an http or https address').transform((value) =>
  value.replace(/(?<!\/)\/+$/, ''),
)
const mailbox = format((value) => /^[^\s@<>]+@[^\s@<>]+$/.test(value), 'an e-mail address')
// Four parts, since `isValid` takes "1" for 0.0.0.1 and "10/8" for 0.0.0.0/8.
const isAddressOrRange = (entry: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(entry) ||
  ipaddr.IPv4.isValidCIDRFourPartDecimal(entry) ||
  ipaddr.IPv6.isValid(entry) ||
  ipaddr.IPv6.isValidCIDR(entry)
const hasHost = (address: string): boolean => new URL(address).hostname !== ''

/** Whether the driver can decode the address: a password may contain a bare "%". */
function isDecodable(address: string): boolean {
  try {
    return Boolean(decodeURIComponent(address))
  } catch {
    return false
  }
}

const hostSettings = Object.fromEntries(Object.keys(externalHosts).map((name) => [name, origin.optional()])) as Record<
  keyof typeof externalHosts,
  z.ZodOptional<typeof origin>
>

/** Every setting with a format (docs/operating.md); the others are free text. `readConfig` checks how they depend on each other. */
const settings = z.object({
  ROLE: choice(roles).default('all'),
  PORT: listenPort().default(3000),
  PUBLIC_URL: origin.optional(),
  SANDBOX: onOff.optional(),
  SANDBOX_PORT: listenPort().default(3001),
  SANDBOX_SMTP_PORT: listenPort(0).optional(),
  SANDBOX_PROCESSING_MS: whole.default(1500),
  ...hostSettings,
  STRIPE_API_BASE: origin.optional(),
  STORAGE: choice(['disk', 's3']).default('disk'),
  S3_ENDPOINT: origin.optional(),
  S3_SILENCE_MS: whole.default(30_000),
  DEFAULT_TIME_ZONE: format((zone) => TimeZone.safeParse(zone).success, 'a zone such as America/New_York').default(
    'America/New_York',
  ),
  SITES_DOMAIN: format(
    (name) => URL.canParse(`http://${name}`) && new URL(`http://${name}`).hostname === name.toLowerCase(),
    'a domain such as sites.example.com',
  ).optional(),
  ADMIN_EMAIL: mailbox.optional(),
  SUPPORT_EMAIL: mailbox.optional(),
  LOG_LEVEL: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  META_GRAPH_VERSION: format((version) => /^v\d+\.\d+$/.test(version), 'a version such as v26.0').optional(),
  LINKEDIN_VERSION: format((version) => /^\d{6}$/.test(version), 'a month such as 202609').optional(),
  TRUSTED_PROXIES: z
    .string()
    .transform((list) => list.split(',').flatMap((entry) => entry.trim() || []))
    .refine((list) => list.every(isAddressOrRange), 'addresses or ranges such as 10.0.0.0/8')
    .default([]),
  RATE_LIMITS: onOff.default('on'),
  NETWORK_QUOTAS: onOff.default('on'),
  FETCH_LOOPBACK: onOff.default('off'),
  PUBLISH_CONCURRENCY: whole
    .refine((value) => value >= 1 && value <= maxConcurrency, `between 1 and ${maxConcurrency}`)
    .default(24),
  DISK_RESERVE: format(
    (amount) => /^\d{1,9}(?:MB|GB)$/.test(amount) || (/^\d{1,3}%$/.test(amount) && Number.parseInt(amount, 10) <= 100),
    'a part of the disk such as 5%, or an amount such as 20GB',
  ).default('5%'),
})
export type Settings = z.output<typeof settings>

/** Settings that contain a password, so their values must not appear in a message. */
const secrets: Record<string, { isValid: (value: string) => boolean; problem: string }> = {
  DATABASE_URL: {
    isValid: (value) => hasScheme(value, ['postgres:', 'postgresql:']) && isDecodable(value),
    problem: 'DATABASE_URL must be an address such as postgres://user:password@host:5432/name.',
  },
  SMTP_URL: {
    isValid: (value) => hasScheme(value, ['smtp:', 'smtps:']) && hasHost(value),
    problem: 'SMTP_URL must be an address such as smtp://user:password@host:587.',
  },
}

/** The settings, and a sentence for each invalid one, which is replaced by its default. */
export function readSettings(text: (name: string) => string | undefined): { settings: Settings; problems: string[] } {
  const problems: string[] = []
  const values = Object.entries(settings.shape).map(([name, type]) => {
    const raw = text(name)
    const parsed = type.safeParse(raw)
    if (!parsed.success) problems.push(`${name} must be ${parsed.error.issues[0]?.message}, not "${raw}".`)
    return [name, parsed.success ? parsed.data : type.parse(undefined)] as const
  })
  for (const [name, { isValid, problem }] of Object.entries(secrets)) {
    const raw = text(name)
    if (raw !== undefined && !isValid(raw)) problems.push(problem)
  }
  return { settings: Object.fromEntries(values) as Settings, problems }
}
