import { readFile } from 'node:fs/promises'
import { mkdtempSync, rmSync } from 'node:fs'
import { createHash, randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createVisitor } from '../api/testing/actors.ts'
import { freePorts } from '../api/testing/ports.ts'
import { cloneDatabase } from '../api/testing/database.ts'
import { postsAtNetworks, signUp, variantsFor, followRedirects, type Account } from '../api/testing/journey.ts'
import { startProcess, type ProductProcess } from '../api/testing/processes.ts'
import { eventually } from '../api/testing/sandbox.ts'

const video = path.join(import.meta.dirname, '../packages/sandbox/fixtures/portrait-5s.mp4')
const platforms = ['facebook', 'instagram', 'tiktok', 'youtube', 'linkedin']

let processes: ProductProcess[] = []
let urls: string[] = []
let sandbox: { sandboxUrl: string }
let dropDatabase: () => Promise<void>
let dataDir: string

beforeAll(async () => {
  const database = await cloneDatabase()
  dropDatabase = database.drop
  dataDir = mkdtempSync(path.join(tmpdir(), 'flashsheet-processes-'))
  const [first, second, sandboxPort] = await freePorts(3)
  sandbox = { sandboxUrl: `http://localhost:${sandboxPort}` }
  urls = [`http://localhost:${first}`, `http://localhost:${second}`]
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PUBLIC_URL: urls[0] ?? '',
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_PROCESSING_MS: '100',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
  }
  processes = [await startProcess({ ...env, ROLE: 'sandbox' })]
  const rest = await Promise.all([
    startProcess({ ...env, ROLE: 'web', PORT: String(first) }),
    startProcess({ ...env, ROLE: 'web', PORT: String(second) }),
    startProcess({ ...env, ROLE: 'worker' }),
    startProcess({ ...env, ROLE: 'worker' }),
  ])
  processes.push(...rest)
})

afterAll(async () => {
  await Promise.all(processes.map(async (one) => (one.child.exitCode === null ? await one.end('SIGKILL') : null)))
  await dropDatabase()
  rmSync(dataDir, { recursive: true, force: true })
})

test('two web and two worker processes upload, post and schedule together', async () => {
  const [firstUrl = '', secondUrl = ''] = urls
  const artist = createVisitor(firstUrl)
  await signUp(artist, sandbox, 'two-nodes@studio.example')
  for (const platform of platforms) await followRedirects(artist, sandbox, `/api/social-connect/${platform}`)

  // The other web process has the same session, accounts and media.
  const secondProcess = createVisitor(secondUrl)
  for (const [name, value] of artist.cookies) secondProcess.cookies.set(name, value)
  const accounts = await secondProcess.get<Account[]>('/api/social-accounts')
  expect(accounts.body.map((account) => account.platform).sort()).toEqual([...platforms].sort())

  const bytes = await readFile(video)
  const form = new FormData()
  form.append('files', new File([bytes], 'healed.mp4', { type: 'video/mp4' }))
  const uploaded = await secondProcess.fetch('/api/media/upload', { method: 'POST', body: form })
  expect(uploaded.status, await uploaded.clone().text()).toBe(201)
  const [item] = (await uploaded.json()) as { _id: string }[]

  const message = `Two nodes ${randomUUID()}`
  const variants = variantsFor(accounts.body, { title: 'Healed', message })
  const created = await artist.post<{ _id: string }>('/api/posts', {
    mediaIds: [item?._id],
    variants,
    requestId: randomUUID(),
  })
  expect(created.status).toBe(202)
  const later = `Scheduled ${randomUUID()}`
  const scheduled = await secondProcess.post<{ _id: string }>('/api/posts/schedule', {
    mediaIds: [item?._id],
    variants: variantsFor(accounts.body, { title: 'Healed', message: later }),
    scheduledAt: new Date(Date.now() + 3000).toISOString(),
    requestId: randomUUID(),
  })
  expect(scheduled.status).toBe(201)

  const finals = await eventually(
    'both posts to be final',
    async () => {
      const { body } =
        await secondProcess.get<{ _id: string; status: string; errorMessage: string | null }[]>('/api/posts')
      const mine = body.filter((post) => [created.body._id, scheduled.body._id].includes(post._id))
      return mine.length === 2 && mine.every((post) => post.status !== 'scheduled') ? mine : undefined
    },
    60_000,
  )
  expect(finals.map((post) => [post.status, post.errorMessage])).toEqual([
    ['posted', null],
    ['posted', null],
  ])
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  for (const text of [message, later]) {
    const shown = await postsAtNetworks(sandbox, text)
    expect(shown).toHaveLength(variants.length)
    for (const post of shown) expect(post.media[0]?.sha256, post.platform).toBe(sha256)
  }
})

test('SIGTERM ends each process gracefully, also when it is sent twice', async () => {
  const codes = await Promise.all(
    processes.slice(1).map(async (one) => {
      const ended = one.end('SIGTERM')
      // A signal sent at once would merge with the pending one.
      await one.receivedSigterm()
      one.child.kill('SIGTERM')
      one.child.kill('SIGINT')
      return await ended
    }),
  )
  expect(codes).toEqual([0, 0, 0, 0])
  expect(await processes[0]?.end('SIGTERM')).toBe(0)
})
