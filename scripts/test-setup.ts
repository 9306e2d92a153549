import { migrateUp } from '../db/migrate.ts'
import { isAlive, startEmbeddedPostgres } from '../db/embedded.ts'
import { templateDatabase } from '../api/testing/database.ts'
import { startJobs } from '../api/core/jobs.ts'
import { createLogger } from '../api/core/log.ts'
import { queues } from '../api/worker.ts'
import * as fs from 'node:fs'
import * as path from 'node:path'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'

/** Linux's RAM disk. */
const ramDisk = '/dev/shm'
const dirPrefix = 'flashsheet-test-postgres-'
/** The maximum size of a run's databases and their log. */
const maxDatabaseBytes = 2 * 1024 ** 3

/**
 * A folder on the RAM disk if it has room: each test file's database is three hundred files, and writing and deleting
 * them takes 0.2 s on a disk.
 */
async function pickDataDir(): Promise<string> {
  const onDisk = `.data/test-postgres-${process.pid}`
  if (process.platform !== 'linux' || !fs.existsSync(ramDisk)) return onDisk
  for (const entry of fs.readdirSync(ramDisk))
    if (isStale(entry))
      await (await startEmbeddedPostgres({ dataDir: path.join(ramDisk, entry), durable: false })).stop()
  const { bavail, bsize } = fs.statfsSync(ramDisk)
  if (bavail * bsize < maxDatabaseBytes || process.availableMemory() < 2 * maxDatabaseBytes) return onDisk
  return path.join(ramDisk, `${dirPrefix}${process.pid}`)
}

/** Whether this is the database of a killed run, which would occupy ramDisk. */
function isStale(name: string): boolean {
  const [, pid] = /-(\d+)$/.exec(name) ?? []
  // The password file beside it belongs to this user; root gives the folder itself to an unprivileged account.
  const passwordFile = fs.statSync(path.join(ramDisk, `${name}.password`), { throwIfNoEntry: false })
  return (
    name.startsWith(dirPrefix) && pid !== undefined && passwordFile?.uid === process.getuid?.() && !isAlive(Number(pid))
  )
}

/** Once for all tests: a Postgres without durability, and the template database that every test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startEmbeddedPostgres({ dataDir: await pickDataDir(), durable: false, maxConnections: 400 })
  const urlOf = (database: string) => new URL(`/${database}`, server.url).href
  const admin = postgres(urlOf('postgres'), { max: 1, onnotice: () => {} })
  await admin`create database ${admin(templateDatabase)}`
  await admin.end()
  const url = urlOf(templateDatabase)
  await migrateUp(url)
  const jobs = await startJobs({ url, log: createLogger('silent'), isWorker: false, queues })
  await jobs.stop(0)
  project.provide('adminUrl', urlOf('postgres'))
  return server.stop
}
