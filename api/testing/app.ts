import { connect, type DbClient } from '@flashsheet/db/client'
import type { ConnectionTimeouts } from '@flashsheet/db/connection'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import type { Logger } from '../core/log.ts'
import { openProcessPool, type ProcessPool } from '../core/process-pool.ts'
import { start, type Running } from '../main.ts'
import { fileProcesses } from '../wiring.ts'
import { createVisitor, waitForHintsByUrl, type Visitor } from './actors.ts'
import { cloneDatabase } from './database.ts'
import { reservePorts } from './ports.ts'

/**
 * The processes that decode pictures and videos. All apps of a test worker share them, since they run one after the
 * other, and starting Node and the picture library twice for each is slow. They end with the worker.
 */
let filePool: ProcessPool | undefined
const sharedFilePool = (): ProcessPool => (filePool ??= openProcessPool(fileProcesses))

/** A machine that runs all tests at once may stall for seconds, which is no failure of what they test. */
export const patientTimeouts: ConnectionTimeouts = { statementMs: 30_000, lockMs: 30_000, idleTransactionMs: 60_000 }

export type TestApp = {
  url: string
  /** Origin of the sandbox's own pages and its control API. */
  sandboxUrl: string
  dataDir: string
  running: Running
  /** A second pool on the same database, for setting up and inspecting data. */
  client: DbClient
  env: Record<string, string>
  /** The product's clock; `advance` moves it. */
  clock: { now: () => Date; advance: (ms: number) => void; set: (iso: string) => void }
  visitor: () => Visitor
  stop: () => Promise<void>
}

/**
 * Starts the whole product on a database of its own, over real HTTP on free ports: web, worker by default, and the
 * sandbox. Rate limits are off unless `env` sets them; processing at the networks takes 50 ms. Statements of
 * requests may take 30 s. `seed` inserts the demonstration; `hasOwnFilePool` is for tests of the decoding processes.
 */
export async function startTestApp(
  options: {
    role?: 'all' | 'web'
    env?: Record<string, string>
    startAt?: string
    seed?: boolean
    log?: Logger
    interactiveTimeoutMs?: number
    hasOwnFilePool?: boolean
  } = {},
): Promise<TestApp> {
  const database = await cloneDatabase()
  const dataDir = mkdtempSync(path.join(tmpdir(), 'flashsheet-'))
  const { ports, releasePorts } = await reservePorts(2)
  const [port, sandboxPort] = ports
  let offset = options.startAt === undefined ? 0 : Date.parse(options.startAt) - Date.now()
  const clock = {
    now: () => new Date(Date.now() + offset),
    advance: (ms: number) => {
      offset += ms
    },
    set: (iso: string) => {
      offset = Date.parse(iso) - Date.now()
    },
  }
  const env: Record<string, string> = {
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_PROCESSING_MS: '50',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    ROLE: options.role ?? 'all',
    ...options.env,
  }
  const { seed = false, log, interactiveTimeoutMs, hasOwnFilePool = false } = options
  const running = await start(env, {
    clock: clock.now,
    seed,
    // A starting worker polls all queues at once, and would open as many connections as it may.
    jobPool: { max: 3, connectionTimeoutMillis: patientTimeouts.statementMs },
    requestTimeouts: patientTimeouts,
    ...(log ? { log } : {}),
    ...(interactiveTimeoutMs === undefined ? {} : { interactiveTimeoutMs }),
    ...(hasOwnFilePool ? {} : { filePool: sharedFilePool() }),
  })
  const client = connect(database.url, 4)
  const url = `http://localhost:${port}`
  const hasWritten = trackWrites(client)
  waitForHintsByUrl.set(url, async () => {
    if (hasWritten()) await running.caughtUp()
  })
  return {
    url,
    sandboxUrl: `http://localhost:${sandboxPort}`,
    dataDir,
    running,
    client,
    env,
    clock,
    visitor: () => createVisitor(url),
    async stop() {
      waitForHintsByUrl.delete(url)
      await client.close()
      await running.stop()
      await database.drop()
      releasePorts()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Returns a function that returns whether this client has written anything since the previous call. */
function trackWrites({ sql }: DbClient): () => boolean {
  let wrote = false
  const unsafe = sql.unsafe.bind(sql)
  sql.unsafe = (query, values, options) => {
    if (!/^\s*select/i.test(query)) wrote = true
    return unsafe(query, values, options)
  }
  return () => {
    const result = wrote
    wrote = false
    return result
  }
}
