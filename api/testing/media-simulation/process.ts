import { serve } from '@hono/node-server'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp } from '../../app.ts'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { readConfig } from '../../core/config.ts'
import { unavailable } from '../../core/errors.ts'
import type { System } from '../../core/context.ts'
import type { JobHandler, Jobs } from '../../core/jobs.ts'
import { createLogger } from '../../core/log.ts'
import type { ProcessPool } from '../../core/process-pool.ts'
import { socialJobs } from '../../features/social/worker.ts'
import { authJobs } from '../../features/auth/worker.ts'
import { mediaJobs } from '../../features/media/worker.ts'
import { websiteJobs } from '../../features/website/worker.ts'
import type { Storage } from '../../gateways/storage.ts'
import { startSystem } from '../../wiring.ts'
import { createVisitor, type Visitor } from '../actors.ts'
import { patientTimeouts, type TestApp } from '../app.ts'
import { interceptStatements, lostConnection } from '../failing-database.ts'

/** What happens at one call of the storage or the database. `lost`: it takes effect, but its answer does not arrive. */
export type Fault = 'refused' | 'lost' | 'die before' | 'die after'

/** One process of the product, with HTTP and the handlers of its jobs. */
export type Process = {
  system: System
  handlers: ReadonlyMap<string, (payload: object) => Promise<void>>
  /** The fault of the next call; undefined: none. */
  nextFault: (what: 'storage' | 'database') => Fault | undefined
  isDead: () => boolean
  /** Somebody's requests to this process. */
  visitor: (as?: Visitor) => Visitor
  url: string
  /** Resolves once no request is running. */
  untilIdle: () => Promise<void>
  stop: () => Promise<void>
}

const urls = new WeakMap<Visitor, string>()
/** The process of a visitor. */
export const urlOf = (visitor: Visitor): string => urls.get(visitor) ?? ''

const hangsAfterMs = 90_000

const dead = () => new Error('this process is dead')

/** Starts a process on the database and the storage of `app`. */
export async function startProcess(app: TestApp, filePool: ProcessPool): Promise<Process> {
  const options = { databaseUrl: app.running.databaseUrl, log: createLogger('silent'), isWorker: false, filePool }
  const { system, stop } = await startSystem(readConfig(app.env), {
    ...options,
    now: app.clock.now,
    requestTimeouts: patientTimeouts,
  })
  let isDead = false
  /** Running requests, and calls of the storage, the database and file processes. */
  const running = new Map<symbol, string>()
  const track = async <T>(name: string, work: PromiseLike<T>): Promise<T> => {
    const key = Symbol(name)
    running.set(key, name)
    try {
      return await work
    } finally {
      running.delete(key)
    }
  }
  const die = (): never => {
    isDead = true
    server.closeAllConnections()
    throw dead()
  }
  const around = async <T>(what: 'storage' | 'database', run: () => PromiseLike<T>, name: string): Promise<T> => {
    if (isDead) throw dead()
    const fault = one.nextFault(what)
    const failure = () => (what === 'database' ? lostConnection() : unavailable(errorMessages.storageUnavailable, 5))
    if (fault === 'die before') die()
    if (fault === 'refused') throw failure()
    const result = await track(`${what} ${name}`, run())
    if (fault === 'die after') die()
    if (isDead) throw dead()
    if (fault === 'lost') throw failure()
    return result
  }
  const product = createApp(system)
  const fetch = async (...given: Parameters<typeof product.fetch>) => {
    const [{ method, url }, env] = given
    const answered = Promise.resolve(product.fetch(...given))
    // The tus server waits forever for the end of an answer whose caller has disconnected.
    const closed = once((env as { outgoing: ServerResponse }).outgoing, 'close')
    track(`${method} ${url}`, Promise.race([answered, closed])).catch(() => {})
    return await answered
  }
  const server = await new Promise<Server>((resolve) => {
    const started = serve({ fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false, createServer }, () =>
      resolve(started as Server),
    )
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  interceptStatements(system.client, async (statement, run) => await around('database', run, statement))
  const { filePool: pool } = system
  const counted: ProcessPool = {
    ...pool,
    run: async (...given) => await track('a file process', pool.run(...given)),
  }
  Object.assign(system, { filePool: counted })
  Object.assign(system, { gateways: { ...system.gateways, storage: disturbed(system.gateways.storage, around) } })
  const one: Process = {
    system,
    handlers: await handlersOf(system),
    nextFault: () => undefined,
    isDead: () => isDead,
    url,
    visitor(as) {
      const visitor = createVisitor(url)
      urls.set(visitor, url)
      for (const [name, value] of as?.cookies ?? []) visitor.cookies.set(name, value)
      return visitor
    },
    async untilIdle() {
      const since = Date.now()
      for (let quiet = 0; quiet < 5; quiet = running.size > 0 ? 0 : quiet + 1) {
        await sleep(3)
        if (Date.now() - since > hangsAfterMs) throw new Error(`still running: ${[...running.values()].join(', ')}`)
      }
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      await stop(0)
    },
  }
  return one
}

type Around = <T>(what: 'storage', run: () => PromiseLike<T>, name: string) => Promise<T>

/** A storage whose calls may fail. Disk and bucket behave alike, so both may lose answers. */
function disturbed(storage: Storage, around: Around): Storage {
  const wrap = <T extends object>(target: T, names: readonly (keyof T & string)[]): T => {
    const changed = Object.create(target) as T
    for (const name of names) {
      const method = target[name] as (...given: unknown[]) => Promise<unknown>
      const call = async (...given: unknown[]) =>
        await around('storage', async () => await method.apply(target, given), name)
      Object.defineProperty(changed, name, { value: call, enumerable: true })
    }
    return changed
  }
  const writes = ['put', 'putIfAbsent', 'putFileIfAbsent', 'take'] as const
  const partialUploads = wrap(storage.partialUploads, ['bytes', 'localFile', 'receive', 'flush', 'remove'])
  const { store } = storage.partialUploads
  for (const name of ['create', 'write', 'getUpload'] as const) {
    const method = store[name].bind(store) as (...given: unknown[]) => Promise<unknown>
    const call = async (...given: unknown[]) => await around('storage', async () => await method(...given), name)
    Object.defineProperty(store, name, { value: call })
  }
  return Object.defineProperty(
    wrap(storage, [...writes, 'read', 'size', 'localFile', 'remove', 'list', 'page']),
    'partialUploads',
    { value: partialUploads },
  )
}

/** The handlers of the jobs of media, sites and accounts, by queue. */
async function handlersOf(system: System) {
  const handlers = new Map<string, (payload: object) => Promise<void>>()
  const { signal } = new AbortController()
  const collect = {
    work: async (
      queue: { name: string; payload: { parse: (payload: object) => object } },
      _: object,
      handler: never,
    ) => {
      const handle = handler as (payload: object, stopping: AbortSignal, aborted: AbortSignal) => Promise<void>
      handlers.set(queue.name, async (payload) => await handle(queue.payload.parse(payload), signal, signal))
    },
    schedule: async () => {},
    every: () => {},
  } as unknown as Jobs
  const all: readonly JobHandler<System>[] = [...mediaJobs, ...websiteJobs, ...authJobs, ...socialJobs]
  for (const handler of all) await handler.start(system, collect)
  return handlers
}
