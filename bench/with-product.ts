// For all benchmarks: the product in its own processes on a real Postgres, and measurements.
import { connect, type DbClient } from '@flashsheet/db/client'
import { startEmbeddedPostgres } from '@flashsheet/db/embedded'
import { migrateUp } from '@flashsheet/db/migrate'
import type { ChildProcess } from 'node:child_process'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { readConfig } from '../api/core/config.ts'
import { createArtist, type Artist } from '../api/testing/actors.ts'
import { freePorts } from '../api/testing/ports.ts'
import { startProcess, type ProductProcess } from '../api/testing/processes.ts'

export const megabyte = 1_000_000

/** A folder, a Postgres, free ports and a database pool; `finish` stops what was started, in reverse order. */
export type Bench = {
  folder: string
  url: string
  sandboxUrl: string
  client: DbClient
  start: (role: 'all' | 'web' | 'worker' | 'sandbox') => Promise<ProductProcess>
  artist: () => Promise<Artist>
  finish: () => Promise<void>
}

export async function openBench(settings: Record<string, string> = {}): Promise<Bench> {
  const folder = path.resolve('.data', `bench-${process.pid}`)
  fs.mkdirSync(folder, { recursive: true })
  const undo: (() => Promise<unknown>)[] = [async () => fs.rmSync(folder, { recursive: true, force: true })]
  const finish = async () => {
    for (const step of undo.reverse()) await step()
  }
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: path.join(folder, 'postgres') })
    undo.push(postgres.stop)
    const [port = 0, sandboxPort = 0] = await freePorts(2)
    const env = {
      PORT: String(port),
      DATA_DIR: folder,
      DATABASE_URL: postgres.url,
      SANDBOX_PORT: String(sandboxPort),
      LOG_LEVEL: 'error',
      ...settings,
    }
    const url = `http://localhost:${port}`
    const client = connect(postgres.url, 4)
    undo.push(client.close)
    return {
      folder,
      url,
      sandboxUrl: `http://localhost:${sandboxPort}`,
      client,
      async start(role) {
        const product = await startProcess({ ...env, ROLE: role })
        undo.push(async () =>
          product.child.exitCode === null && product.child.signalCode === null ? await product.end('SIGTERM') : null,
        )
        return product
      },
      artist: async () =>
        await createArtist({
          client,
          url,
          clock: { now: () => new Date() },
          running: { config: readConfig({ ...env, ROLE: 'all' }) },
        }),
      finish,
    }
  } catch (error) {
    await finish()
    throw error
  }
}

/** Runs `work` with an empty, migrated Postgres, which is deleted afterwards. */
export async function withPostgres(
  work: (url: string) => Promise<void>,
  { durable = true }: { durable?: boolean } = {},
): Promise<void> {
  const folder = path.resolve('.data', `bench-${process.pid}`)
  const postgres = await startEmbeddedPostgres({ dataDir: path.join(folder, 'postgres'), durable })
  try {
    await migrateUp(postgres.url)
    await work(postgres.url)
  } finally {
    await postgres.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** The header of the artist's session. */
export function sessionOf(artist: Artist): { cookie: string } {
  return { cookie: [...artist.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
}

/** Resident memory of a process in bytes; 0 where the system has no /proc. */
export function residentBytes(child: ChildProcess): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

/** CPU seconds of a process; 0 where the system has no /proc. */
export function processorSeconds(child: Pick<ChildProcess, 'pid'>): number {
  try {
    const [user = '0', system = '0'] =
      fs.readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? []
    return (Number(user) + Number(system)) / 100
  } catch {
    return 0
  }
}

/** CPU seconds of a Postgres and its processes, ended ones included. */
export async function postgresSeconds({ client }: Pick<Bench, 'client'>): Promise<number> {
  const [row] = await client.sql<{ folder: string }[]>`select current_setting('data_directory') as folder`
  try {
    const parent = Number(fs.readFileSync(path.join(row?.folder ?? '', 'postmaster.pid'), 'utf8').split('\n')[0])
    const own = fs.readFileSync(`/proc/${parent}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 15) ?? []
    const children = fs.readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ')
    return (
      own.reduce((total, ticks) => total + Number(ticks), 0) / 100 +
      children.reduce((total, pid) => total + processorSeconds({ pid: Number(pid) }), 0)
    )
  } catch {
    return 0
  }
}

/** The quantile of some values. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

export const median = (values: readonly number[]) => quantile(values, 0.5)
