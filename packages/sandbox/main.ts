import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer, type HttpBindings, type ServerType } from '@hono/node-server'
import { Hono } from 'hono'
import { openBlobs } from './blobs.ts'
import { startCallbacks, type Callbacks } from './callbacks.ts'
import { controlApi } from './control.ts'
import { frontPage } from './front-page.ts'
import { createHolds } from './holds.ts'
import { requestMiddleware } from './request-middleware.ts'
import { makeContext, type SoldPlan } from './context.ts'
import { startSmtp } from './mail/smtp.ts'
import { inboxPages } from './mail/inbox-pages.ts'
import { modules } from './modules.ts'
import { publicFeed } from './public-feed.ts'
import { startStripeWebhook } from './services/stripe.ts'
import { openStore } from './store.ts'

export type SandboxOptions = {
  /** 0: any free port. */
  port: number
  /** Absent or 0: any free port. */
  smtpPort?: number
  /** The folder of all state and uploaded bytes. A start on the same folder continues with the same state. */
  dataDir: string
  /** How long asynchronous processing takes at the networks, in milliseconds. */
  processingMs: number
  /** The sandbox's address for browsers. Default: http://localhost:<port>. */
  publicUrl?: string
  /** The endpoint for Stripe's events, with its signing secret. Absent: events are stored and not delivered. */
  stripeWebhook?: { url: string; secret: string }
  /** What the Stripe account sells from its first start. Default: nothing. */
  plans?: readonly SoldPlan[]
  /** The endpoints for callbacks of TikTok and Meta. Absent: none are sent. */
  callbacks?: Callbacks
  /** Milliseconds since 1970. Default: the machine's clock. */
  now?: () => number
}

export type Sandbox = { url: string; port: number; smtpPort: number; stop(): Promise<void> }

/** Starts the stand-ins of every outside service. Throws what `listen` throws (a taken port). */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const app = new Hono<{ Bindings: HttpBindings }>()
  const server = createAdaptorServer({ fetch: (request, env) => app.fetch(request, env), overrideGlobalObjects: false })
  // An upload of 300 MB over a slow line may exceed Node's request timeout.
  if ('requestTimeout' in server) server.requestTimeout = 0
  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const store = openStore(options.dataDir)
  const blobs = openBlobs(options.dataDir)
  const url = options.publicUrl?.replace(/\/+$/, '') ?? `http://localhost:${port}`
  const sandbox = makeContext(store, blobs, url, options.processingMs, options)
  const holds = createHolds()
  const reset = (): void => {
    blobs.removeBlobs()
    store.reset()
  }
  app.use('*', requestMiddleware(sandbox, modules, holds))
  app.route('/_control', controlApi(sandbox, holds, reset))
  for (const { hosts, root } of modules) {
    for (const [claim, routes] of Object.entries(hosts)) app.route(`/${claim.split('/')[0]}`, routes(sandbox))
    if (root) app.route('/', root(sandbox))
  }
  for (const routes of [frontPage, inboxPages, publicFeed]) app.route('/', routes(sandbox))

  const smtp = await startSmtp(sandbox, options.smtpPort ?? 0).catch(async (error: unknown) => {
    await closeServer(server)
    store.close()
    throw error
  })
  const stopCallbacks = options.callbacks ? startCallbacks(sandbox, options.callbacks) : async () => {}
  const stopWebhook = options.stripeWebhook ? startStripeWebhook(sandbox, options.stripeWebhook) : async () => {}

  return {
    url,
    port,
    smtpPort: smtp.port,
    async stop() {
      await Promise.all([closeServer(server), smtp.stop(), stopWebhook(), stopCallbacks()])
      store.close()
    },
  }
}

async function closeServer(server: ServerType): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  if ('closeAllConnections' in server) server.closeAllConnections()
  await closed
}
