import { type Platform, platforms } from '@flashsheet/contracts/networks'
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { versionsInUse } from './api-versions.ts'
import { externalHosts, readSettings } from './settings.ts'

type Host = keyof typeof externalHosts

/** The keys of our app at a network, and the base addresses of the network's hosts. */
type NetworkConfig<Hosts extends string> = {
  clientId: string
  clientSecret: string
  hosts: Record<Hosts, string>
  /** How long the sandbox processes a post; absent with the real network. */
  sandboxMs?: number | undefined
}

/** All settings, read once at start. */
export type Config = Readonly<ReturnType<typeof readConfig>>
export type NetworkConfigOf<P extends Platform> = NonNullable<Config['networks'][P]>

const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/** Whether a host name means this machine itself. */
export function isLoopback(hostname: string): boolean {
  return loopbackNames.includes(hostname)
}

/** Invalid settings; `problems` has a sentence for each. */
export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`The settings are invalid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/**
 * Reads the settings (docs/operating.md) from `env`. Throws ConfigError with every problem. Outside production it creates a
 * secret key in DATA_DIR when none is set.
 */
export function readConfig(env: Record<string, string | undefined>) {
  const text = (name: string) => env[name]?.trim() || undefined
  const { settings, problems } = readSettings(text)
  /** The named settings; undefined when none is set. Reports a problem when only some are. */
  const allOrNone = <N extends string>(names: readonly N[]): Record<N, string> | undefined => {
    const values = names.map((name) => text(name))
    if (values.every((value) => value === undefined)) return undefined
    names.forEach((name, i) => {
      if (values[i] === undefined) problems.push(`${name} is missing: ${names.join(', ')} belong together.`)
    })
    return Object.fromEntries(names.map((name, i) => [name, values[i] ?? ''])) as Record<N, string>
  }

  const { ROLE: role, PORT: port } = settings
  const isProduction = env['NODE_ENV'] === 'production'
  const publicAddress = new URL(settings.PUBLIC_URL ?? `http://localhost:${port}`)
  const publicUrl = publicAddress.origin
  if (publicAddress.href !== `${publicUrl}/`)
    problems.push(
      `PUBLIC_URL must be scheme, host and port alone, such as https://app.example.com, not "${publicAddress.href}".`,
    )
  const dataDir = path.resolve(text('DATA_DIR') ?? '.data')
  const databaseUrl = text('DATABASE_URL')
  if (!databaseUrl && (role === 'web' || role === 'worker')) problems.push(`ROLE=${role} needs DATABASE_URL.`)

  const isLocal = isLoopback(publicAddress.hostname)
  const usesSandbox = (settings.SANDBOX ?? (isLocal && !isProduction ? 'on' : 'off')) === 'on'
  if (usesSandbox && !isLocal)
    problems.push(`SANDBOX=on works with a PUBLIC_URL on this machine only, not with ${publicUrl}.`)
  if (role === 'sandbox' && !usesSandbox)
    problems.push('ROLE=sandbox needs the sandbox, but it is off (PUBLIC_URL, NODE_ENV or SANDBOX).')
  const sandboxPort = settings.SANDBOX_PORT
  const sandbox = usesSandbox
    ? {
        port: sandboxPort,
        smtpPort: settings.SANDBOX_SMTP_PORT,
        processingMs: settings.SANDBOX_PROCESSING_MS,
        url: `http://localhost:${sandboxPort}`,
        folder: path.join(dataDir, 'sandbox'),
      }
    : undefined

  /** The base address of a host: as set, or the real one if there are real keys, or the sandbox's. */
  const base = (name: Host, hasKeys: boolean): string => {
    const host = externalHosts[name]
    return settings[name] ?? (hasKeys || !sandbox ? host : `${sandbox.url}/${new URL(host).host}`)
  }
  const network = <H extends string>(
    id: string,
    secret: string,
    hosts: Record<H, Host>,
  ): NetworkConfig<H> | undefined => {
    const keys = allOrNone([id, secret])
    if (!keys && !sandbox) return undefined
    return {
      clientId: keys?.[id] ?? `sandbox-${id.toLowerCase().replaceAll('_', '-')}`,
      clientSecret: keys?.[secret] ?? `sandbox-${secret.toLowerCase().replaceAll('_', '-')}`,
      hosts: Object.fromEntries(
        Object.entries<Host>(hosts).map(([name, setting]) => [name, base(setting, keys !== undefined)]),
      ) as Record<H, string>,
      sandboxMs: keys === undefined ? sandbox?.processingMs : undefined,
    }
  }

  const networks = {
    facebook: network('FACEBOOK_APP_ID', 'FACEBOOK_APP_SECRET', {
      dialog: 'FACEBOOK_DIALOG',
      graph: 'FACEBOOK_GRAPH',
      graphVideo: 'FACEBOOK_GRAPH_VIDEO',
      rupload: 'FACEBOOK_RUPLOAD',
    }),
    instagram: network('INSTAGRAM_APP_ID', 'INSTAGRAM_APP_SECRET', {
      www: 'INSTAGRAM_WWW',
      api: 'INSTAGRAM_API',
      graph: 'INSTAGRAM_GRAPH',
    }),
    tiktok: network('TIKTOK_CLIENT_KEY', 'TIKTOK_CLIENT_SECRET', { www: 'TIKTOK_WWW', api: 'TIKTOK_API' }),
    youtube: network('YOUTUBE_CLIENT_ID', 'YOUTUBE_CLIENT_SECRET', {
      accounts: 'GOOGLE_ACCOUNTS',
      token: 'GOOGLE_TOKEN',
      api: 'YOUTUBE_API',
      upload: 'YOUTUBE_UPLOAD',
    }),
    linkedin: network('LINKEDIN_CLIENT_ID', 'LINKEDIN_CLIENT_SECRET', { www: 'LINKEDIN_WWW', api: 'LINKEDIN_API' }),
  } satisfies Record<Platform, unknown>
  const google = network('GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET', {
    accounts: 'GOOGLE_ACCOUNTS',
    token: 'GOOGLE_TOKEN',
    certs: 'GOOGLE_CERTS',
  })
  const placesKey = text('GOOGLE_PLACES_KEY')
  const stripeKeys = allOrNone(['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'])
  const smtpUrl = text('SMTP_URL')
  const mailFrom = text('MAIL_FROM')
  if (smtpUrl && !mailFrom) problems.push('MAIL_FROM is missing: SMTP_URL and MAIL_FROM belong together.')

  const s3 = ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
  const storageKind = settings.STORAGE
  const s3Settings = storageKind === 's3' ? allOrNone(s3) : undefined
  if (storageKind === 's3' && !s3Settings) problems.push(`STORAGE=s3 needs ${s3.join(', ')}.`)
  const storage = s3Settings
    ? {
        kind: 's3' as const,
        scratch: path.join(dataDir, 'scratch'),
        endpoint: s3Settings.S3_ENDPOINT,
        region: s3Settings.S3_REGION,
        bucket: s3Settings.S3_BUCKET,
        accessKeyId: s3Settings.S3_ACCESS_KEY_ID,
        secretAccessKey: s3Settings.S3_SECRET_ACCESS_KEY,
        socketTimeoutMs: settings.S3_SILENCE_MS,
      }
    : { kind: 'disk' as const, folder: path.join(dataDir, 'storage') }

  for (const [name, value] of [
    ['RATE_LIMITS', 'off'],
    ['NETWORK_QUOTAS', 'off'],
    ['FETCH_LOOPBACK', 'on'],
  ] as const) {
    if (settings[name] === value && !sandbox) problems.push(`${name}=${value} is allowed with the sandbox only.`)
  }
  const secret = text('SECRET_KEY')
  if (!secret && isProduction) problems.push('SECRET_KEY is missing: production needs one of at least 32 characters.')
  if (secret && secret.length < 32) problems.push('SECRET_KEY must have at least 32 characters.')
  const secretOld = text('SECRET_KEY_OLD')
  if (secretOld && secretOld.length < 32) problems.push('SECRET_KEY_OLD must have at least 32 characters.')
  if (secretOld && !secret) problems.push('SECRET_KEY is missing: SECRET_KEY_OLD is only the previous key.')
  if (secretOld && secretOld === secret)
    problems.push('SECRET_KEY_OLD is the same as SECRET_KEY: set it to the previous key, or leave it out.')

  const folderProblem = folderProblemOf(dataDir)
  if (folderProblem !== null) problems.push(folderProblem)

  if (problems.length > 0) throw new ConfigError(problems)
  return deepFreeze({
    role,
    isProduction,
    port,
    host: text('HOST') ?? '127.0.0.1',
    /** Origin of the app, without a trailing slash. */
    publicUrl,
    dataDir,
    databaseUrl,
    sitesDomain: settings.SITES_DOMAIN?.toLowerCase(),
    defaultTimeZone: settings.DEFAULT_TIME_ZONE,
    secretKey: bytesOf(secret ?? readOrCreateSecret(dataDir)),
    /** The previous key, during a rotation: values that it sealed or signed stay valid. */
    secretKeyOld: secretOld === undefined ? undefined : bytesOf(secretOld),
    storage,
    /** Without `url` mail goes to the sandbox's SMTP server, which writes its port to `portFile`. */
    mail:
      smtpUrl || sandbox
        ? {
            url: smtpUrl,
            portFile: path.join(dataDir, 'sandbox', 'smtp-port'),
            from: mailFrom ?? 'Flashsheet <hello@flashsheet.example>',
          }
        : undefined,
    stripe:
      stripeKeys || sandbox
        ? {
            secretKey: stripeKeys?.STRIPE_SECRET_KEY ?? 'sk_test_sandbox',
            webhookSecret: stripeKeys?.STRIPE_WEBHOOK_SECRET ?? 'whsec_sandbox',
            base: settings.STRIPE_API_BASE ?? (stripeKeys || !sandbox ? 'https://api.stripe.com' : sandbox.url),
            apiVersion: text('STRIPE_API_VERSION') ?? versionsInUse.stripe,
          }
        : undefined,
    google,
    places:
      placesKey || sandbox
        ? { key: placesKey ?? 'sandbox-places-key', base: base('PLACES_API', placesKey !== undefined) }
        : undefined,
    networks,
    versions: {
      metaGraph: settings.META_GRAPH_VERSION ?? versionsInUse.metaGraph,
      linkedin: settings.LINKEDIN_VERSION ?? versionsInUse.linkedin,
    },
    adminEmail: settings.ADMIN_EMAIL?.toLowerCase(),
    /** The address that receives messages of the contact form; absent: the form is closed. */
    supportEmail:
      settings.SUPPORT_EMAIL ??
      settings.ADMIN_EMAIL ??
      (smtpUrl
        ? (mailFrom ?? '').split(/[\s<>]/).find((part) => part.includes('@'))
        : sandbox && 'hello@flashsheet.example'),
    trustedProxies: settings.TRUSTED_PROXIES,
    enforcesRateLimits: settings.RATE_LIMITS === 'on',
    /** Whether the daily allowances of the networks are counted here. */
    enforcesNetworkQuotas: settings.NETWORK_QUOTAS === 'on',
    /** Whether files may be fetched from this host; for tests, with the sandbox only. */
    allowsLoopbackFetch: settings.FETCH_LOOPBACK === 'on',
    /** Targets that one worker publishes at a time. */
    publishConcurrency: settings.PUBLISH_CONCURRENCY,
    /** The part of the disk of DATA_DIR that uploads must not use. */
    diskReserve: reserveOf(settings.DISK_RESERVE),
    logLevel: settings.LOG_LEVEL,
    sandbox,
  })
}

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'utf8')

const gigabyte = 1_000_000_000

/** A percentage reserves at least a gigabyte; an amount is used as it is. */
function reserveOf(amount: string): { percent: number; minBytes: number } {
  const number = Number.parseInt(amount, 10)
  if (amount.endsWith('%')) return { percent: number, minBytes: gigabyte }
  return { percent: 0, minBytes: number * (amount.endsWith('GB') ? gigabyte : 1_000_000) }
}

/** The configured networks, in the order in which they are shown. */
export function availablePlatforms(config: Config): Platform[] {
  return platforms.filter((platform) => config.networks[platform] !== undefined)
}

/** Warnings about valid settings, logged at start. */
export function configWarnings({ mail }: Pick<Config, 'mail'>): string[] {
  return mail
    ? []
    : [
        'No mail is sent: SMTP_URL is not set. Nobody can verify an address or reset a password, and no reminder or notice is sent.',
      ]
}

/** Why DATA_DIR is not writable, or null. Creates the folder if it is missing. */
function folderProblemOf(folder: string): string | null {
  try {
    makeFolder(folder)
    // Tried out, since a volume may be mounted read-only.
    fs.rmdirSync(fs.mkdtempSync(path.join(folder, '.try-')))
    return null
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOTDIR') return `DATA_DIR must be a folder, but ${folder} or a part of its path is a file.`
    if (code === 'ENOSPC') return `The disk that DATA_DIR is on is full (${folder}).`
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'ENOENT')
      return `DATA_DIR must be a folder that can be written to, and ${folder} is not.`
    return `DATA_DIR cannot be used at ${folder}: ${message}`
  }
}

/** Creates one folder at a time, since a recursive `mkdir` never returns where nothing can be created, as in /proc. */
function makeFolder(folder: string): void {
  if (fs.existsSync(folder)) return
  makeFolder(path.dirname(folder))
  try {
    fs.mkdirSync(folder)
  } catch (error) {
    // Another process has created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** The secret key outside production: created once in DATA_DIR, also when several processes start together. */
function readOrCreateSecret(dataDir: string): string {
  const file = path.join(dataDir, 'secret-key')
  try {
    const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
    fs.writeFileSync(draft, randomBytes(48).toString('base64url'), { mode: 0o600 })
    try {
      // A link fails when the file exists, so the first process wins, and no process reads half a key.
      fs.linkSync(draft, file)
    } finally {
      fs.rmSync(draft)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return fs.readFileSync(file, 'utf8')
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    // Typed arrays cannot be frozen.
    if (inner && typeof inner === 'object' && !ArrayBuffer.isView(inner)) deepFreeze(inner as object)
  }
  return Object.freeze(value)
}
