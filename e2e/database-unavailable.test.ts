import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOwnPostgres, type OwnPostgres } from '../api/testing/own-postgres.ts'
import { freePorts } from '../api/testing/ports.ts'
import { startProcess, type ProductProcess } from '../api/testing/processes.ts'
import { createArtistOf } from '../api/testing/records.ts'
import { desktop, openWindow, setSession } from './browser.ts'

let postgres: OwnPostgres
let web: ProductProcess
let url: string
let env: Record<string, string>
const dataDir = mkdtempSync(path.join(tmpdir(), 'flashsheet-away-'))

beforeAll(async () => {
  postgres = await startOwnPostgres()
  const [port, sandboxPort] = await freePorts(2)
  url = `http://localhost:${port}`
  env = {
    ROLE: 'web',
    DATABASE_URL: postgres.url,
    DATA_DIR: dataDir,
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    LOG_LEVEL: 'fatal',
  }
  web = await startProcess(env)
})
afterAll(async () => {
  await web?.end('SIGKILL')
  await postgres?.remove()
  rmSync(dataDir, { recursive: true, force: true })
})

test('a screen that opens without a database says so, and loads by itself once the database is back', async () => {
  const artist = await createArtistOf(env, url)
  const window = await openWindow({ baseUrl: url, size: desktop })
  try {
    const { page } = window
    await setSession(window, url, artist.cookies)
    await page.goto('/scheduled-posts')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await postgres.stop('immediate')
    await page.getByRole('link', { name: 'Media' }).first().click()
    await page.getByText(errorMessages.unavailable).first().waitFor()
    await postgres.start()
    await page.getByText(errorMessages.unavailable).first().waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/media')
    await page.getByRole('heading', { level: 1, name: 'Media' }).waitFor()
  } finally {
    await window.close()
  }
})
