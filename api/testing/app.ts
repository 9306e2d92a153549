import { connect, type DbClient } from '@flashsheet/db/client'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import type { Logger } from '../core/log.ts'
import { start, type Running } from '../main.ts'
import { createVisitor, settled, type Visitor } from './actors.ts'
import { cloneDatabase } from './database.ts'
import { freePorts } from './ports.ts'

export type TestApp = {
  url: string
  /** Origin of the sandbox's own pages and its control door. */
  sandboxUrl: string
  dataDir: string
  running: Running
  /** A second pool on the same database, to make data and to look. */
  client: DbClient
  env: Record<string, string>
  /** The clock the product sees; `advance` moves it. */
  clock: { now: () => Date; advance: (ms: number) => void; set: (iso: string) => void }
  visitor: () => Visitor
  stop: () => Promise<void>
}

/**
 * Starts the whole product on a database of its own, over real HTTP on free ports: web, worker unless told, and the
 * sandbox. Rate limits are off unless `env` says otherwise; processing at the networks takes 50 ms. `seed` brings the cast.
 */
export async function startTestApp(options: { role?: 'all' | 'web'; env?: Record<string, string>; startAt?: string; seed?: boolean; log?: Logger; personWaitsMs?: number } = {}): Promise<TestApp> {
  const database = await cloneDatabase()
  const dataDir = mkdtempSync(path.join(tmpdir(), 'flashsheet-'))
  const [port, sandboxPort] = await freePorts(2)
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
  const { seed = false, log, personWaitsMs } = options
  const running = await start(env, { clock: clock.now, seed, ...(log ? { log } : {}), ...(personWaitsMs === undefined ? {} : { personWaitsMs }) })
  const client = connect(database.url, 4)
  const url = `http://localhost:${port}`
  const wrote = noteWrites(client)
  settled.set(url, async () => {
    if (wrote()) await running.caughtUp()
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
      settled.delete(url)
      await client.close()
      await running.stop()
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Answers whether something was written with this client since the last time it was asked. */
function noteWrites({ sql }: DbClient): () => boolean {
  let wrote = false
  const unsafe = sql.unsafe.bind(sql)
  sql.unsafe = (query, values, options) => {
    if (!/^\s*select/i.test(query)) wrote = true
    return unsafe(query, values, options)
  }
  return () => {
    const did = wrote
    wrote = false
    return did
  }
}
