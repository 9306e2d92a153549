import { plans } from '@flashsheet/contracts/plans'
import type { ConnectionTimeouts } from '@flashsheet/db/connection'
import { isAlive, startEmbeddedPostgres } from '@flashsheet/db/embedded'
import { lockFolder } from '@flashsheet/db/folder-lock'
import { migrateUp } from '@flashsheet/db/migrate'
import { serve, type ServerType } from '@hono/node-server'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { createServer, type RequestListener, type ServerOptions, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as path from 'node:path'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { createApp } from './app.ts'
import { apiVersions, endingVersions } from './core/api-versions.ts'
import { fileUploadMatcher, enforceBodyTimeouts } from './core/body-timeouts.ts'
import { ConfigError, configWarnings, readConfig, type Config } from './core/config.ts'
import { errorLine } from './core/describe-error.ts'
import { onConnectionHeld } from './core/connection-held-guard.ts'
import type { ProcessPool } from './core/process-pool.ts'
import type { JobPool } from './core/jobs.ts'
import { createLogger, type Logger } from './core/log.ts'
import { cachedPageHandler } from './pages/serve-cached-page.ts'
import { restTable } from './rest.ts'
import { seedDemo } from './seed.ts'
import { startSystem } from './wiring.ts'
import { startWorker } from './worker.ts'

export type Running = {
  config: Config
  databaseUrl: string
  /** Resolves once this process has received the live hints of everything committed before the call. */
  caughtUp: () => Promise<void>
  /** Finishes requests and running steps for at most `stopGraceMs`, then stops everything that this process started. */
  stop: () => Promise<void>
}

/** How long running requests and jobs may take when the process stops. Compose waits 30 s. */
const stopGraceMs = 20_000

/** Idle connections stay open for this time, since a proxy may have just sent a request on one. */
const arrivingRequestMs = 100

/**
 * How long an idle connection stays open. Longer than proxies reuse theirs (nginx and AWS 60 s, Traefik 90 s, Caddy 120 s):
 * if the product closed first, a request just sent on the connection would be lost.
 */
const keepAliveMs = 130_000

/** The exit code for wrong settings: `scripts/supervise.mjs` does not restart the process then. */
const wrongSettingsCode = 78

export type StartOptions = {
  clock?: () => Date
  /** The longest time that a person waits for an outside service; default: 10 s. */
  interactiveTimeoutMs?: number
  /** Creates the demo accounts in an empty database. */
  seed?: boolean
  log?: Logger
  /** Called with the name of each start-up step. */
  onStep?: (text: string) => void
  /** The server does not listen before this resolves. */
  beforeListening?: Promise<void>
  /** Processes that open artists' files, shared with other systems; the caller stops them. */
  filePool?: ProcessPool
  /** Replaces the size and the timeout of the job queue's pool. */
  jobPool?: JobPool
  /** Replaces the timeouts of the statements of requests. */
  requestTimeouts?: ConnectionTimeouts
}

/** Starts the parts of the product that ROLE names. Throws ConfigError, or the error of the first part that failed. */
export async function start(env: Record<string, string | undefined>, options: StartOptions = {}): Promise<Running> {
  const { onStep = () => {}, beforeListening } = options
  // Avoids an unhandled rejection if it fails before it is awaited below.
  beforeListening?.catch(() => {})
  const config = readConfig(env)
  const log = options.log ?? createLogger(config.logLevel)
  for (const warning of [
    ...configWarnings(config),
    ...endingVersions(apiVersions({ ...config.versions, stripe: config.stripe?.apiVersion }), new Date()),
  ])
    log.warn(warning)
  // Stops the later parts first, and all of them although one fails.
  const parts = new AsyncDisposableStack()
  let stopped: Promise<void> | undefined
  // An uncaught error during a stop calls it again, and must wait for the running one.
  const stop = async () => await (stopped ??= parts.disposeAsync())
  try {
    for (const folder of exclusiveFolders(config))
      parts.defer(await lockFolder(folder, { pid: process.pid, address: config.publicUrl }))
    if (runsSandbox(config) && config.sandbox) parts.defer(await runSandbox(config, config.sandbox))
    let databaseUrl = config.databaseUrl ?? ''
    let caughtUp = async () => {}
    if (config.role !== 'sandbox') {
      onStep('Starting the database')
      if (!config.databaseUrl) {
        const embedded = await startEmbeddedPostgres({ dataDir: databaseFolder(config) })
        if (embedded.dataDir !== path.resolve(databaseFolder(config)))
          log.warn(
            `The database is in ${embedded.dataDir}: Postgres does not run as root, and other accounts cannot reach DATA_DIR.`,
          )
        databaseUrl = embedded.url
        parts.defer(embedded.stop)
        parts.defer(endWhenEnded(embedded.pid))
      }
      await migrateUp(databaseUrl, { onWait: (text) => log.warn(text) }).catch((error: unknown) => {
        throw config.databaseUrl && isConnectionError(error)
          ? new Error(`The database of DATABASE_URL cannot be reached: ${error.message}`, { cause: error })
          : error
      })
      await beforeListening
      const product = await runProduct(config, log, databaseUrl, options)
      parts.defer(product.stop)
      caughtUp = product.caughtUp
    }
    return { config, databaseUrl, caughtUp, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const databaseCheckMs = 1000

/** Ends the process by an uncaught error once the embedded Postgres has ended: the restarted process starts it again. Returns a function that stops the check. */
function endWhenEnded(postgresPid: number): () => void {
  const check = setInterval(() => {
    if (isAlive(postgresPid)) return
    clearInterval(check)
    throw new Error('The embedded Postgres has ended.')
  }, databaseCheckMs)
  return () => clearInterval(check)
}

const runsSandbox = (config: Config): boolean => config.role === 'all' || config.role === 'sandbox'

/** The data folder of the embedded Postgres. */
const databaseFolder = (config: Config): string => path.join(config.dataDir, 'postgres')

/** Folders that no other process may use while this one runs. */
const exclusiveFolders = (config: Config): string[] => [
  ...(config.databaseUrl || config.role === 'sandbox' ? [] : [databaseFolder(config)]),
  ...(runsSandbox(config) && config.sandbox ? [config.sandbox.folder] : []),
]

/** The error of a failed `listen`, with a readable sentence if the port is taken. */
function listenError(error: unknown, port: number, setting: string): unknown {
  return (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    ? new Error(`Port ${port} is taken. Set ${setting} to another one.`, { cause: error })
    : error
}

const isConnectionError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error &&
  'code' in error &&
  /^(?:ECONN|ENOTFOUND|EAI_|EHOST|ETIMEDOUT|CONNECT_TIMEOUT|28P01|28000|3D000)/.test(String(error.code))

async function runSandbox(config: Config, sandbox: NonNullable<Config['sandbox']>): Promise<() => Promise<void>> {
  // Imported here, so that no production process loads its code.
  const { startSandbox } = await import('@flashsheet/sandbox')
  const running = await startSandbox({
    port: sandbox.port,
    ...(sandbox.smtpPort === undefined ? {} : { smtpPort: sandbox.smtpPort }),
    dataDir: sandbox.folder,
    processingMs: sandbox.processingMs,
    plans: Object.values(plans),
    callbacks: {
      tiktok: `${config.publicUrl}/api/webhooks/tiktok`,
      metaDeauthorize: `${config.publicUrl}/api/webhooks/meta/deauthorize`,
      metaDeletion: `${config.publicUrl}/api/webhooks/meta/data-deletion`,
    },
    ...(config.stripe
      ? { stripeWebhook: { url: `${config.publicUrl}/api/webhooks/stripe`, secret: config.stripe.webhookSecret } }
      : {}),
  }).catch((error: unknown) => {
    const port = (error as { port?: number }).port ?? sandbox.port
    throw listenError(error, port, port === sandbox.smtpPort ? 'SANDBOX_SMTP_PORT' : 'SANDBOX_PORT')
  })
  // The mail gateway of another process learns the port from this file.
  if (config.mail) {
    fs.mkdirSync(path.dirname(config.mail.portFile), { recursive: true })
    fs.writeFileSync(config.mail.portFile, String(running.smtpPort))
  }
  return async () => await running.stop()
}

async function runProduct(
  config: Config,
  log: Logger,
  databaseUrl: string,
  options: StartOptions,
): Promise<Pick<Running, 'caughtUp'> & { stop: () => Promise<void> }> {
  const isWorker = config.role === 'all' || config.role === 'worker'
  const { system, work, stop } = await startSystem(config, {
    databaseUrl,
    log,
    isWorker,
    now: options.clock,
    interactiveTimeoutMs: options.interactiveTimeoutMs,
    filePool: options.filePool,
    jobPool: options.jobPool,
    requestTimeouts: options.requestTimeouts,
  })
  const responses = new Set<ServerResponse>()
  let server: ServerType | undefined
  try {
    if (config.role !== 'worker') server = await listen(config, system, responses)
    if (isWorker) await startWorker(work)
    if (options.seed && server && isWorker) {
      // The product runs without demo accounts too.
      await seedDemo(work, options.onStep).catch((error: unknown) =>
        log.warn({ err: error }, 'the demo accounts are incomplete'),
      )
    }
  } catch (error) {
    await stop(0)
    throw error
  }
  return {
    caughtUp: async () => await system.live.caughtUp(),
    stop: async () => await stop(stopGraceMs, server ? close(server, responses) : undefined),
  }
}

/** `responses` contains those that have not ended. */
async function listen(
  config: Config,
  system: Parameters<typeof createApp>[0],
  responses: Set<ServerResponse>,
): Promise<ServerType> {
  const app = createApp(system)
  const answerFromCache = cachedPageHandler(system)
  const takesFiles = fileUploadMatcher(restTable)
  // Cached public pages are answered here, before Hono; all other requests go to the app.
  const cacheFirst = ((settings: ServerOptions, listener: RequestListener) =>
    createServer(settings, (request, response) => {
      if (system.stopping.aborted) response.setHeader('connection', 'close')
      responses.add(response)
      response.once('close', () => responses.delete(response))
      enforceBodyTimeouts(request, response, takesFiles(request.method ?? '', request.url?.split('?', 1)[0] ?? ''))
      if (!answerFromCache(request, response)) listener(request, response)
    })) as typeof createServer
  return await new Promise((resolve, reject) => {
    const server: ServerType = serve(
      {
        fetch: app.fetch,
        port: config.port,
        hostname: config.host,
        overrideGlobalObjects: false,
        createServer: cacheFirst,
      },
      (_info: AddressInfo) => resolve(server),
    )
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(listenError(error, config.port, 'PORT'))
    })
    // A 300 MB upload over studio Wi-Fi takes longer than Node's five minutes; `core/body-timeouts.ts` sets other limits.
    if ('requestTimeout' in server) server.requestTimeout = 0
    if ('keepAliveTimeout' in server) server.keepAliveTimeout = keepAliveMs
  })
}

/** Stops accepting connections, and lets requests finish, each as the last one of its connection. Event streams end by `System.stopping`. */
async function close(server: ServerType, responses: ReadonlySet<ServerResponse>): Promise<void> {
  // A proxy would send its next request on these connections.
  for (const response of responses) if (!response.headersSent) response.setHeader('connection', 'close')
  await sleep(arrivingRequestMs)
  // Reads what arrived while this process was busy.
  await setImmediate()
  const closed = once(server, 'close')
  // A connection whose response had begun is idle after it.
  const closeIdle = setInterval(
    () => 'closeIdleConnections' in server && server.closeIdleConnections(),
    arrivingRequestMs,
  )
  const closeAll = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), stopGraceMs)
  server.close()
  await closed
  clearInterval(closeIdle)
  clearTimeout(closeAll)
}

/** The exit code after an uncaught error; the process is restarted then. */
const uncaughtCode = 70
/** How long running work may take after an uncaught error. */
const endWithinMs = 10_000

/** After an uncaught error the state of the process is unknown, so the error is logged and the process shuts down gracefully. */
function endWhenUncaught(stop: () => Promise<void>): void {
  let ending = false
  const end = () => process.exit(uncaughtCode)
  // Unhandled rejections are reported here too, with that `origin`.
  process.on('uncaughtException', (error, origin) => {
    const log = createLogger('error')
    log.fatal(
      { err: error, origin },
      ending ? 'a further error was not caught' : 'an error was not caught: this process ends',
    )
    if (ending) return
    ending = true
    setTimeout(end, endWithinMs).unref()
    stop().then(end, end)
  })
}

/** The entry of the process: starts, prints the ready line, and shuts down on SIGTERM, Ctrl-C or the supervisor's end. */
export async function main(options: StartOptions = {}): Promise<void> {
  // Ctrl-C reaches every process of the terminal, and parent processes forward it again: a repeat must not end the stop early.
  const stopRequested = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.on(signal, () => resolve())
  })
  const log = createLogger('error')
  // Only logged: the request is answered nevertheless.
  onConnectionHeld((held) =>
    log.error({ err: held }, 'an outside service was called while a database connection was held'),
  )
  let running: Running | undefined
  endWhenUncaught(async () => await running?.stop())
  try {
    running = await start(process.env, { seed: true, ...options })
  } catch (error) {
    console.error(errorLine(error))
    process.exit(error instanceof ConfigError ? wrongSettingsCode : 1)
  }
  if (running.config.role === 'all' || running.config.role === 'web')
    console.log(`Flashsheet is ready at ${running.config.publicUrl}`)
  else console.log(`Flashsheet ${running.config.role} is ready`)
  // From now on the supervisor (scripts/supervise.mjs) restarts this process if it ends with an error.
  process.send?.('ready')
  void stopRequested
    .then(async () => await running?.stop())
    .then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(errorLine(error))
        process.exit(1)
      },
    )
}

if (import.meta.main) await main()
