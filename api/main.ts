import { startEmbeddedPostgres } from '@flashsheet/db/embedded'
import { lockFolder } from '@flashsheet/db/folder-lock'
import { migrateUp } from '@flashsheet/db/migrate'
import { serve, type ServerType } from '@hono/node-server'
import * as fs from 'node:fs'
import { createServer, type RequestListener, type ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as path from 'node:path'
import { createApp } from './app.ts'
import { apiVersions, endingVersions } from './core/api-versions.ts'
import { fileUploadMatcher, watchBody } from './core/body-pace.ts'
import { ConfigError, configWarnings, readConfig, type Config } from './core/config.ts'
import { errorLine } from './core/describe-error.ts'
import { onConnectionHeld } from './core/outside.ts'
import type { ProcessPool } from './core/process-pool.ts'
import { createLogger, type Logger } from './core/log.ts'
import { answersFromCache } from './pages/answer-cached-page.ts'
import { restTable } from './rest.ts'
import { seedDemo } from './seed.ts'
import { startSystem } from './wiring.ts'
import { startWorker } from './worker.ts'

export type Running = {
  config: Config
  databaseUrl: string
  /** Resolves once this process has heard of everything that is committed in the database. */
  caughtUp: () => Promise<void>
  /** Finishes requests and running steps for at most `graceMs`, then stops everything this process started. */
  stop: (graceMs?: number) => Promise<void>
}

/** What this process ends with when its settings are wrong (scripts/supervise.mjs): beginning again would not mend them. */
const wrongSettingsCode = 78

export type StartOptions = {
  clock?: () => Date
  /** How long a person waits for an answer from outside; absent: 10 s. */
  personWaitsMs?: number
  /** Brings the demo accounts to an empty database. */
  seed?: boolean
  log?: Logger
  /** Is told what is going on, in words for whoever waits. */
  step?: (text: string) => void
  /** What has to be done before the first request is answered. */
  beforeListening?: Promise<void>
  /** Opens what artists send, in place of processes of this system's own; it is not stopped with it. */
  filePool?: ProcessPool
  /** The most connections of the job queue. */
  jobConnections?: number
}

/** Starts what ROLE asks for. Throws ConfigError, or the first thing that could not be started. */
export async function start(env: Record<string, string | undefined>, options: StartOptions = {}): Promise<Running> {
  const { step = () => {}, beforeListening } = options
  // It may fail while nobody waits for it yet.
  beforeListening?.catch(() => {})
  const config = readConfig(env)
  const log = options.log ?? createLogger(config.logLevel)
  for (const warning of [
    ...configWarnings(config),
    ...endingVersions(apiVersions({ ...config.versions, stripe: config.stripe?.apiVersion }), new Date()),
  ])
    log.warn(warning)
  const undo: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const one of undo.reverse()) await one()
  }
  try {
    // What is in these folders belongs to one process at a time.
    for (const folder of ownFolders(config))
      undo.push(await lockFolder(folder, { pid: process.pid, address: config.publicUrl }))
    if (runsSandbox(config) && config.sandbox) undo.push(await runSandbox(config, config.sandbox))
    let databaseUrl = config.databaseUrl ?? ''
    let caughtUp = async () => {}
    if (config.role !== 'sandbox') {
      step('Starting the database')
      if (!config.databaseUrl) {
        const embedded = await startEmbeddedPostgres({ dataDir: databaseFolder(config) })
        databaseUrl = embedded.url
        undo.push(embedded.stop)
      }
      await migrateUp(databaseUrl, { onWait: (text) => log.warn(text) }).catch((error: unknown) => {
        throw config.databaseUrl && isConnectionError(error)
          ? new Error(`The database of DATABASE_URL cannot be reached: ${error.message}`, { cause: error })
          : error
      })
      await beforeListening
      const product = await runProduct(config, log, databaseUrl, options)
      undo.push(product.stop)
      caughtUp = product.caughtUp
    }
    return { config, databaseUrl, caughtUp, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const runsSandbox = (config: Config): boolean => config.role === 'all' || config.role === 'sandbox'

/** Where the embedded Postgres keeps its files. */
const databaseFolder = (config: Config): string => path.join(config.dataDir, 'postgres')

/** Folders that only this process may use while it runs. */
const ownFolders = (config: Config): string[] => [
  ...(config.databaseUrl || config.role === 'sandbox' ? [] : [databaseFolder(config)]),
  ...(runsSandbox(config) && config.sandbox ? [config.sandbox.folder] : []),
]

/** What listening failed with, as a sentence where it is the usual reason. */
function portTaken(error: unknown, port: number, setting: string): unknown {
  return (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    ? new Error(`Port ${port} is taken. Set ${setting} to another one.`, { cause: error })
    : error
}

const isConnectionError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error &&
  'code' in error &&
  /^(?:ECONN|ENOTFOUND|EAI_|EHOST|ETIMEDOUT|CONNECT_TIMEOUT|28P01|28000|3D000)/.test(String(error.code))

async function runSandbox(config: Config, sandbox: NonNullable<Config['sandbox']>): Promise<() => Promise<void>> {
  // Loaded where it is on alone: no production process has its code in memory.
  const { startSandbox } = await import('@flashsheet/sandbox')
  const running = await startSandbox({
    port: sandbox.port,
    ...(sandbox.smtpPort === undefined ? {} : { smtpPort: sandbox.smtpPort }),
    dataDir: sandbox.folder,
    processingMs: sandbox.processingMs,
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
    throw portTaken(error, port, port === sandbox.smtpPort ? 'SANDBOX_SMTP_PORT' : 'SANDBOX_PORT')
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
  const works = config.role === 'all' || config.role === 'worker'
  const { system, work, stop } = await startSystem(config, {
    databaseUrl,
    log,
    works,
    ...(options.clock ? { now: options.clock } : {}),
    ...(options.personWaitsMs === undefined ? {} : { personWaitsMs: options.personWaitsMs }),
    ...(options.filePool ? { filePool: options.filePool } : {}),
    jobConnections: options.jobConnections,
  })
  let server: ServerType | undefined
  try {
    if (config.role !== 'worker') server = await listen(config, system)
    if (works) await startWorker(work)
    if (options.seed && server && works) {
      // A demonstration that could not be made is a pity, no reason not to run.
      await seedDemo(work, options.step).catch((error: unknown) =>
        log.warn({ err: error }, 'the demo accounts are incomplete'),
      )
    }
  } catch (error) {
    await stop(0)
    throw error
  }
  return {
    caughtUp: system.live.caughtUp,
    stop: async () => await stop(20_000, server ? close(server) : undefined),
  }
}

async function listen(config: Config, system: Parameters<typeof createApp>[0]): Promise<ServerType> {
  const app = createApp(system)
  const answers = answersFromCache(system)
  const takesFiles = fileUploadMatcher(restTable)
  // A public page that is kept is answered here; everything else goes on to the app.
  const keptFirst = ((settings: ServerOptions, listener: RequestListener) =>
    createServer(settings, (request, response) => {
      watchBody(request, response, takesFiles(request.method ?? '', request.url?.split('?', 1)[0] ?? ''))
      if (!answers(request, response)) listener(request, response)
    })) as typeof createServer
  return await new Promise((resolve, reject) => {
    const server: ServerType = serve(
      {
        fetch: app.fetch,
        port: config.port,
        hostname: config.host,
        overrideGlobalObjects: false,
        createServer: keptFirst,
      },
      (_info: AddressInfo) => resolve(server),
    )
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(portTaken(error, config.port, 'PORT'))
    })
    // A 300 MB upload over studio Wi-Fi takes longer than Node's five minutes; `core/body-pace.ts` has limits of its own.
    if ('requestTimeout' in server) server.requestTimeout = 0
  })
}

/** Stops taking requests and lets those under way finish; streams that never end are cut. */
async function close(server: ServerType): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    if ('closeIdleConnections' in server) server.closeIdleConnections()
    setTimeout(() => {
      if ('closeAllConnections' in server) server.closeAllConnections()
    }, 3000).unref()
  })
}

/** What a process ends with after an error that nobody caught: it is started again. */
const uncaughtCode = 70
/** How long what is under way may take after one. */
const endWithinMs = 10_000

/** The last net. After an error that nobody caught nobody knows what state this process is in: it is written down, and the process ends in order. */
function endWhenUncaught(stop: () => Promise<void>): void {
  let ending = false
  const end = () => process.exit(uncaughtCode)
  // An unhandled rejection comes here too, as one by that origin.
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

/** The process's entry: starts, says the ready line, and stops in order on SIGTERM, on Ctrl-C and when its supervisor is gone. */
export async function main(options: StartOptions = {}): Promise<void> {
  // Ctrl-C reaches every process of a terminal, and those above pass it on once more: a repeat must not cut the stop short.
  const stopAsked = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.on(signal, () => resolve())
  })
  const log = createLogger('error')
  // Those who asked get their answer; the mistake is ours to mend.
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
  // Whoever keeps this process running (scripts/supervise.mjs) starts it again from now on if it ends by an error.
  process.send?.('ready')
  void stopAsked
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
