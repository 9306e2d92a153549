import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { webhookMessages } from '../packages/contracts/webhooks/messages.ts'
import type { NewWebhookEndpoint, WebhookDelivery } from '../packages/contracts/webhooks/schema.ts'
import { createArtist, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { reservePorts } from '../api/testing/ports.ts'
import { eventually } from '../api/testing/sandbox.ts'
import { signedAs } from '../api/testing/webhook-bodies.ts'
import { webhookSnippets } from '../web/features/developers/webhook-snippets.ts'

let app: TestApp
let artist: Artist
let folder: string
beforeAll(async () => {
  app = await startTestApp()
  artist = await createArtist(app)
  folder = await mkdtemp(path.join(tmpdir(), 'webhook-snippets-'))
})
afterAll(async () => {
  await app?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Whether a command exists on this machine. */
const isInstalled = async (command: string): Promise<boolean> =>
  await new Promise((resolve) => {
    const child = spawn(command, ['--version'], { stdio: 'ignore' })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

/** Runs a program of the page as a server, delivers a webhook to it, and returns its statuses for valid and invalid calls. */
async function statusesOf(command: string, file: string, text: string): Promise<Record<string, number>> {
  const { ports, releasePorts } = await reservePorts(1)
  const url = `http://127.0.0.1:${ports[0]}/`
  const { body: endpoint } = await artist.post<NewWebhookEndpoint>('/api/webhook-endpoints', {
    url,
    events: ['ping'],
  })
  await writeFile(path.join(folder, file), text)
  const env = { ...process.env, PORT: String(ports[0]), FLASHSHEET_WEBHOOK_SECRET: endpoint.secret }
  const child = spawn(command, [path.join(folder, file)], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (output += piece))
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (output += piece))
  try {
    const send = async (headers: Record<string, string>, body: string) =>
      (await fetch(url, { method: 'POST', headers, body })).status
    await eventually('the program to listen', async () => await send({}, '{}').catch(() => undefined), 30_000)

    expect((await artist.post(`/api/webhook-endpoints/${endpoint._id}/test`)).status).toBe(202)
    const deliveries = async () =>
      (await artist.get<WebhookDelivery[]>(`/api/webhook-endpoints/${endpoint._id}/deliveries`)).body
    const [delivery] = await eventually('the call', async () => {
      const all = await deliveries()
      return all[0]?.attempts.length === 1 && all
    })
    expect(delivery).toMatchObject({ state: 'delivered', attempts: [{ status: 204 }] })
    await eventually('the program to say so', async () => await Promise.resolve(output.includes(webhookMessages.ping)))
    expect(output).toContain(delivery?.eventId)

    const body = '{"type":"ping","data":{}}'
    const signedAt = (at: Date, secret: string) => signedAs(secret, 'mine', at, body)
    const now = new Date()
    const other = `whsec_${Buffer.alloc(32).toString('base64')}`
    const validHeaders = signedAt(now, endpoint.secret)
    // While a replaced secret is still valid, calls have two signatures.
    const twoSignatures = `${signedAt(now, other)['webhook-signature']} ${validHeaders['webhook-signature']}`
    return {
      signed: await send(validHeaders, body),
      signedTwice: await send({ ...validHeaders, 'webhook-signature': twoSignatures }, body),
      changedBody: await send(validHeaders, body.replace('ping', 'pong')),
      anotherSecret: await send(signedAt(now, other), body),
      old: await send(signedAt(new Date(now.getTime() - 600_000), endpoint.secret), body),
      emptySignature: await send({ ...validHeaders, 'webhook-signature': 'v1,' }, body),
      noTime: await send({ ...validHeaders, 'webhook-timestamp': 'soon' }, body),
    }
  } finally {
    await stop(child)
    releasePorts()
  }
}

const expectedStatuses = {
  signed: 204,
  signedTwice: 204,
  changedBody: 400,
  anotherSecret: 400,
  old: 400,
  emptySignature: 400,
  noTime: 400,
}

test('the TypeScript program of /developers accepts our signed calls and refuses others', async () => {
  expect(await statusesOf(process.execPath, 'webhooks.mts', webhookSnippets.typescript)).toEqual(expectedStatuses)
})

test('the Python program of /developers accepts our signed calls and refuses others', async ({ skip }) => {
  if (!(await isInstalled('python3'))) return skip('there is no python3 on this machine to run the program with')
  expect(await statusesOf('python3', 'webhooks.py', webhookSnippets.python)).toEqual(expectedStatuses)
})
