import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { createTransport } from 'nodemailer'
import { afterEach, beforeEach, expect, test } from 'vitest'

type Running = { child: ChildProcess; url: string; port: number; smtpPort: number }

let folder = ''
let running: Running | undefined
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sandbox-kill-'))
})
afterEach(async () => {
  await kill()
  fs.rmSync(folder, { recursive: true, force: true })
})

async function start(): Promise<Running> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'run-for-tests.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  running = { child, ...(JSON.parse(line.toString()) as Omit<Running, 'child'>) }
  return running
}

async function kill(): Promise<void> {
  if (!running || running.child.exitCode !== null || running.child.signalCode !== null) return
  const ended = once(running.child, 'exit')
  running.child.kill('SIGKILL')
  await ended
}

const headers = { authorization: 'Bearer sk_test_kill' }

test('after a SIGKILL every acknowledged object exists, and none is incomplete', async () => {
  for (let round = 1; round <= 3; round++) {
    const first = await start()
    const before = (await (await fetch(`${first.url}/_control/mail`)).json()) as unknown[]
    expect(before).toHaveLength(round - 1)
    const transport = createTransport({ host: '127.0.0.1', port: first.smtpPort })
    await transport.sendMail({ from: 'a@b.example', to: 'c@d.example', subject: `round ${round}`, text: 'x' })
    transport.close()
    // Ten at once; the process is killed as soon as the fourth is answered.
    const answered: string[] = []
    const calls = Array.from({ length: 10 }, (_, index) =>
      fetch(`${first.url}/v1/customers`, {
        method: 'POST',
        headers,
        body: new URLSearchParams({ email: `r${round}n${index}@ink.example` }),
      })
        .then((answer) => answer.json() as Promise<{ id: string }>)
        .then(async ({ id }) => {
          if (answered.push(id) === 4) await kill()
        })
        .catch(() => undefined),
    )
    await Promise.all(calls)
    const second = await start()
    for (const id of answered) expect((await fetch(`${second.url}/v1/customers/${id}`, { headers })).status).toBe(200)
    const list = (await (await fetch(`${second.url}/v1/customers?limit=100`, { headers })).json()) as {
      data: { email: string; invoice_settings: object }[]
    }
    for (const one of list.data)
      expect(one).toMatchObject({ email: expect.stringMatching(/^r\dn\d@ink/), invoice_settings: expect.any(Object) })
    const log = (await (await fetch(`${second.url}/_control/requests?service=smtp`)).json()) as unknown[]
    expect(log).toHaveLength(round)
    await kill()
  }
})
