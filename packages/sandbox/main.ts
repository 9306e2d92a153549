import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer, type HttpBindings, type ServerType } from '@hono/node-server'
import { Hono } from 'hono'
import { openBlobs } from './blobs.ts'
import { startCallbacks, type Callbacks } from './callbacks.ts'
import { controlDoor } from './control.ts'
import { door } from './door.ts'
import { controlState, makeWorld } from './make-world.ts'
import { mails } from './mail/mailbox.ts'
import { startSmtp } from './mail/smtp.ts'
import { modules, pages } from './modules.ts'
import { openRequestLog } from './request-log.ts'
import { startStripeWebhook, stripeControl } from './services/stripe.ts'
import { openStore } from './store.ts'
import type { ServiceModule, World } from './world.ts'

export type SandboxOptions = {
  /** 0 takes any free one. */
  port: number
  /** Loopback unless told. */
  host?: string
  /** Absent or 0: any free one. */
  smtpPort?: number
  /** All state and uploaded bytes live below it; the same folder again is the same world again. */
  dataDir: string
  /** How long asynchronous processing takes at the networks, in milliseconds. */
  processingMs: number
  /** Where a browser finds the sandbox, when that is not http://localhost:<port>. */
  publicUrl?: string
  /** Where Stripe's events are posted, and the endpoint's signing secret; absent: they are kept, undelivered. */
  stripeWebhook?: { url: string; secret: string }
  /** Where TikTok and Meta call back; absent: they tell nobody. */
  callbacks?: Callbacks
}

export type Sandbox = { url: string; port: number; smtpPort: number; stop(): Promise<void> }

/** Starts the stand-ins of every outside service. Throws what listening throws (a taken port). */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const host = options.host ?? '127.0.0.1'
  const app = new Hono<{ Bindings: HttpBindings }>()
  const server = createAdaptorServer({ fetch: (request, env) => app.fetch(request, env), overrideGlobalObjects: false })
  // an upload of 300 MB over a slow line may take longer than Node allows a request
  if ('requestTimeout' in server) server.requestTimeout = 0
  server.listen(options.port, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const store = openStore(options.dataDir)
  const blobs = openBlobs(options.dataDir)
  const log = openRequestLog(options.dataDir)
  const url = options.publicUrl?.replace(/\/+$/, '') ?? `http://localhost:${port}`
  const world = makeWorld(store, blobs, url, options.processingMs)

  const faults = () => controlState(store)
  const flush = () => store.flush()
  app.use('*', door({ world, modules, faults, log, flush }))
  const reset = (): void => {
    log.clear()
    blobs.reset()
    store.reset()
  }
  app.route(
    '/_control',
    controlDoor({ world, modules, log, state: faults, mail: () => mails(world), stripe: stripeControl(world), reset }),
  )
  for (const module of modules) mount(app, module, world)
  for (const own of pages) app.route('/', own(world))

  const smtp = await startSmtp({ world, faults, log, flush }, options.smtpPort ?? 0, host).catch(
    async (error: unknown) => {
      await closeServer(server)
      store.close()
      log.close()
      throw error
    },
  )
  const stopCallbacks = options.callbacks ? startCallbacks(world, options.callbacks) : async () => {}
  const stopWebhook = options.stripeWebhook ? startStripeWebhook(world, options.stripeWebhook) : async () => {}

  return {
    url,
    port,
    smtpPort: smtp.port,
    async stop() {
      await Promise.all([closeServer(server), smtp.stop(), stopWebhook(), stopCallbacks()])
      store.close()
      log.close()
    },
  }
}

async function closeServer(server: ServerType): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  if ('closeAllConnections' in server) server.closeAllConnections()
  await closed
}

function mount(app: Hono<{ Bindings: HttpBindings }>, module: ServiceModule, world: World): void {
  for (const [claim, routes] of Object.entries(module.hosts)) app.route(`/${claim.split('/')[0]}`, routes(world))
  if (module.root) app.route('/', module.root(world))
}
