import { migrateUp } from '@flashsheet/db/client'
import { startEmbeddedPostgres } from '@flashsheet/db/embedded'
import { serve, type ServerType } from '@hono/node-server'
import { startSandbox } from '@flashsheet/sandbox'
import * as fs from 'node:fs'
import { createServer, type RequestListener, type ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as path from 'node:path'
import { createApp, keptPages } from './app.ts'
import { apiVersions, endingVersions } from './core/api-versions.ts'
import { configWarnings, readConfig, type Config } from './core/config.ts'
import { errorLine } from './core/describe-error.ts'
import { createLogger, type Logger } from './core/log.ts'
import { answersKept } from './pages/kept-answer.ts'
import { seedCast } from './seed.ts'
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

/**
 * Starts what ROLE asks for (design 1, 8); `seed` brings the cast to an empty database. Throws ConfigError, or the first thing
 * that could not be started.
 */
export async function start(env: Record<string, string | undefined>, options: { clock?: () => Date; seed?: boolean; log?: Logger } = {}): Promise<Running> {
  const config = readConfig(env)
  const log = options.log ?? createLogger(config.logLevel)
  for (const warning of [...configWarnings(config), ...endingVersions(apiVersions({ ...config.versions, stripe: config.stripe?.apiVersion }), new Date())]) log.warn(warning)
  const undo: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const step of undo.reverse()) await step()
  }
  try {
    if (config.sandbox && (config.role === 'all' || config.role === 'sandbox')) undo.push(await runSandbox(config, config.sandbox))
    let databaseUrl = config.databaseUrl ?? ''
    let caughtUp = async () => {}
    if (config.role !== 'sandbox') {
      if (!config.databaseUrl) {
        const embedded = await startEmbeddedPostgres({ dataDir: path.join(config.dataDir, 'postgres') })
        databaseUrl = embedded.url
        undo.push(embedded.stop)
      }
      await migrateUp(databaseUrl).catch((error: unknown) => {
        throw config.databaseUrl && isConnectionError(error) ? new Error(`The database of DATABASE_URL cannot be reached: ${error.message}`, { cause: error }) : error
      })
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

/** What listening failed with, as a sentence where it is the usual reason. */
function portTaken(error: unknown, port: number, setting: string): unknown {
  return (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? new Error(`Port ${port} is taken. Set ${setting} to another one.`, { cause: error }) : error
}

const isConnectionError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && /^(?:ECONN|ENOTFOUND|EAI_|EHOST|ETIMEDOUT|CONNECT_TIMEOUT|28P01|28000|3D000)/.test(String(error.code))

async function runSandbox(config: Config, sandbox: NonNullable<Config['sandbox']>): Promise<() => Promise<void>> {
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
    ...(config.stripe ? { stripeWebhook: { url: `${config.publicUrl}/api/webhooks/stripe`, secret: config.stripe.webhookSecret } } : {}),
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
  options: { clock?: () => Date; seed?: boolean },
): Promise<Pick<Running, 'caughtUp'> & { stop: () => Promise<void> }> {
  const works = config.role === 'all' || config.role === 'worker'
  const { system, work, stop } = await startSystem(config, { databaseUrl, log, works, ...(options.clock ? { now: options.clock } : {}) })
  let server: ServerType | undefined
  try {
    if (config.role !== 'worker') server = await listen(config, system)
    if (works) await startWorker(work)
    if (options.seed && server && works) {
      // A demonstration that could not be made is a pity, no reason not to run.
      await seedCast(work).catch((error: unknown) => log.warn({ err: error }, 'the demonstration cast is incomplete'))
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
  const pages = keptPages(system)
  const app = createApp(system, pages)
  const answers = answersKept(pages)
  // A public page that is kept is answered here; everything else goes on to the app.
  const keptFirst = ((settings: ServerOptions, listener: RequestListener) =>
    createServer(settings, (request, response) => {
      if (!answers(request, response)) listener(request, response)
    })) as typeof createServer
  return await new Promise((resolve, reject) => {
    const server: ServerType = serve({ fetch: app.fetch, port: config.port, hostname: config.host, overrideGlobalObjects: false, createServer: keptFirst }, (_info: AddressInfo) => resolve(server))
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(portTaken(error, config.port, 'PORT'))
    })
    // A 300 MB upload over studio Wi-Fi takes longer than Node's five minutes.
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

/** The process's entry: starts, says the ready line, and stops in order on SIGTERM and Ctrl-C. */
export async function main(): Promise<void> {
  let running: Running
  try {
    running = await start(process.env, { seed: true })
  } catch (error) {
    console.error(errorLine(error))
    process.exit(1)
  }
  if (running.config.role === 'all' || running.config.role === 'web') console.log(`Flashsheet is ready at ${running.config.publicUrl}`)
  else console.log(`Flashsheet ${running.config.role} is ready`)
  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // Ctrl-C reaches every process of a terminal, and those above pass it on once more: a repeat must not cut the stop short.
      if (stopping) return
      stopping = true
      running.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(errorLine(error))
          process.exit(1)
        },
      )
    })
  }
}

if (import.meta.main) await main()
