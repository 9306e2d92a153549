import { migrateUp } from '../db/migrate.ts'
import { startEmbeddedPostgres } from '../db/embedded.ts'
import { templateDatabase } from '../api/testing/database.ts'
import { startJobs } from '../api/core/jobs.ts'
import { createLogger } from '../api/core/log.ts'
import { queues } from '../api/worker.ts'
import * as fs from 'node:fs'
import * as path from 'node:path'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'

/** Linux's RAM disk. */
const memory = '/dev/shm'
const inMemory = 'flashsheet-test-postgres-'
/** The maximum size of a run's databases, with their log, and what should stay free beside it. */
const most = 2 * 1024 ** 3

/**
 * On the RAM disk where there is room: each file's database is three hundred files to write and delete, 0.2 s on a
 * disk.
 */
async function pickDataDir(): Promise<string> {
  const onDisk = `.data/test-postgres-${process.pid}`
  if (process.platform !== 'linux' || !fs.existsSync(memory)) return onDisk
  for (const left of fs.readdirSync(memory))
    if (isStale(left)) await (await startEmbeddedPostgres({ dataDir: path.join(memory, left), durable: false })).stop()
  const { bavail, bsize } = fs.statfsSync(memory)
  if (bavail * bsize < most || process.availableMemory() < 2 * most) return onDisk
  return path.join(memory, `${inMemory}${process.pid}`)
}

/** Whether this is the database of a killed run, which would occupy memory. */
function isStale(name: string): boolean {
  const [, pid] = /-(\d+)$/.exec(name) ?? []
  // The password file beside it belongs to this user; root gives the folder itself to an unprivileged account.
  if (
    !name.startsWith(inMemory) ||
    pid === undefined ||
    fs.statSync(path.join(memory, `${name}.password`), { throwIfNoEntry: false })?.uid !== process.getuid?.()
  )
    return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** Once for all tests: a Postgres without durability, and the template database that every test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startEmbeddedPostgres({ dataDir: await pickDataDir(), durable: false, maxConnections: 400 })
  const adminUrl = new URL(server.url)
  adminUrl.pathname = '/postgres'
  const admin = postgres(adminUrl.toString(), { max: 1, onnotice: () => {} })
  await admin`create database ${admin(templateDatabase)}`
  await admin.end()
  const template = new URL(server.url)
  template.pathname = `/${templateDatabase}`
  await migrateUp(template.toString())
  const jobs = await startJobs({ url: template.toString(), log: createLogger('silent'), works: false, queues })
  await jobs.stop(0)
  project.provide('adminUrl', adminUrl.toString())
  return server.stop
}
