import { connect, type DbClient } from '@flashsheet/db/client'
import { startEmbeddedPostgres } from '@flashsheet/db/embedded'
import type { ChildProcess } from 'node:child_process'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { readConfig } from '../api/core/config.ts'
import { createArtist, type Artist } from '../api/testing/actors.ts'
import { freePorts } from '../api/testing/ports.ts'
import { startProcess } from '../api/testing/processes.ts'

export type BenchApp = {
  url: string
  port: number
  /** The web process. */ web: ChildProcess
  folder: string
  client: DbClient
  artist: () => Promise<Artist>
  stop: () => Promise<void>
}

/** The product in a process of its own, on a durable database of its own, without the sandbox's delays and quotas. */
export async function startBenchApp(): Promise<BenchApp> {
  const folder = path.resolve('.data', `bench-${process.pid}`)
  fs.mkdirSync(folder, { recursive: true })
  const postgres = await startEmbeddedPostgres({ dataDir: path.join(folder, 'postgres') })
  const [port, sandboxPort] = await freePorts(2)
  const env = {
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    DATA_DIR: folder,
    DATABASE_URL: postgres.url,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    ROLE: 'web',
  }
  // Only ROLE=all seeds the demonstration, so web and worker are separate processes.
  const worker = await startProcess({ ...env, ROLE: 'worker' })
  const web = await startProcess(env)
  const client = connect(postgres.url, 4)
  const url = `http://localhost:${port}`
  const where = { client, url, clock: { now: () => new Date() }, running: { config: readConfig(env) } }
  return {
    url,
    port: port ?? 0,
    web: web.child,
    folder,
    client,
    artist: async () => await createArtist(where),
    async stop() {
      await client.close()
      await Promise.all([web.end('SIGTERM'), worker.end('SIGTERM')])
      await postgres.stop()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}
