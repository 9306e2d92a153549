import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openConnections, workTimeouts } from './connection.ts'
import { startEmbeddedPostgres } from './embedded.ts'

function newDataDir(): string {
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'flashsheet-embedded-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  // mkdtemp's folder is accessible to its owner only; root's Postgres runs as another account.
  fs.chmodSync(folder, 0o755)
  return path.join(folder, 'postgres')
}

test('does not delete a folder with files that is no database, nor the password beside it', async () => {
  const dataDir = newDataDir()
  fs.mkdirSync(path.join(dataDir, 'base'), { recursive: true })
  fs.writeFileSync(path.join(dataDir, 'base', '1'), 'tables')
  fs.writeFileSync(`${dataDir}.password`, 'secret')
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
    `${dataDir} contains files, but no complete database`,
  )
  expect(fs.readFileSync(path.join(dataDir, 'base', '1'), 'utf8')).toBe('tables')
  expect(fs.readFileSync(`${dataDir}.password`, 'utf8')).toBe('secret')
})

test('starts after a first start that was killed while it created the database', async () => {
  const dataDir = newDataDir()
  fs.mkdirSync(`${dataDir}.new`)
  fs.writeFileSync(path.join(`${dataDir}.new`, 'PG_VERSION'), '18')
  const server = await startEmbeddedPostgres({ dataDir, durable: false })
  expect(fs.readdirSync(path.dirname(dataDir)).toSorted()).toEqual(['postgres', 'postgres.password'])
  await server.stop()
})

test('its data survives a stop', async () => {
  const dataDir = newDataDir()
  const numbers = async (work: string) => {
    const server = await startEmbeddedPostgres({ dataDir })
    const sql = openConnections(server.url, { name: 'test', max: 1, timeouts: workTimeouts })
    try {
      return await sql.unsafe(work)
    } finally {
      await sql.end()
      await server.stop()
    }
  }
  await numbers('create table numbers as select 1 as n')
  expect(await numbers('select n from numbers')).toEqual([{ n: 1 }])
})
