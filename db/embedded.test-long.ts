import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { startEmbeddedPostgres } from './embedded.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'flashsheet-embedded-'))
// mkdtemp's folder is accessible to its owner only; root's Postgres runs as another account.
chmodSync(folder, 0o755)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('waits for a server that is still recovering, and starts no second one beside it', async () => {
  const dataDir = path.join(folder, 'postgres')
  const first = await startEmbeddedPostgres({ dataDir, durable: false })
  const pidFile = path.join(dataDir, 'postmaster.pid')
  const ready = readFileSync(pidFile, 'utf8')
  writeFileSync(pidFile, ready.replace(/^ready/m, 'starting'))
  const second = startEmbeddedPostgres({ dataDir, durable: false })
  // Recovery may take longer than any start.
  expect(await Promise.race([second.then(() => 'started'), sleep(12_000, 'waiting')])).toBe('waiting')
  writeFileSync(pidFile, ready)
  expect((await second).url).toBe(first.url)
  await first.stop()
}, 60_000)
