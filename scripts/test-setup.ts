import { migrateUp } from '../db/client.ts'
import { startEmbeddedPostgres } from '../db/embedded.ts'
import { templateDatabase } from '../api/testing/database.ts'
import { startJobs } from '../api/core/jobs.ts'
import { createLogger } from '../api/core/log.ts'
import { queues } from '../api/worker.ts'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'

/** Once for all tests: a Postgres without durability, and the template every test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startEmbeddedPostgres({ dataDir: `.data/test-postgres-${process.pid}`, durable: false, maxConnections: 400 })
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
