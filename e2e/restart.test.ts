import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { freePorts } from '../api/testing/ports.ts'
import { inheritedEnv, startProcess } from '../api/testing/processes.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Starts the product like the container image, on its own embedded Postgres. */
function startSupervised(env: Record<string, string>) {
  const args = ['scripts/supervise.mjs', '--import', './db/drizzle-resolve-hook.ts', 'api/main.ts']
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...inheritedEnv(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const untilLogged = async (text: string, times = 1) => {
    while (output.split(text).length <= times) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`it ended before it logged "${text}":\n${output}`)
      await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), exited])
    }
  }
  return { child, untilLogged, exited }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const postgresPid = (dataDir: string) =>
  Number(fs.readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])

test('a second start on the same data is refused, a killed process restarts on its running database, and SIGTERM ends all processes', async () => {
  const dataDir = fs.mkdtempSync(path.join(tmpdir(), 'flashsheet-again-'))
  fs.chmodSync(dataDir, 0o755)
  onTestFinished(() => fs.rmSync(dataDir, { recursive: true, force: true }))
  const [port, otherPort] = await freePorts(2)
  const env = { DATA_DIR: dataDir, SANDBOX: 'off', LOG_LEVEL: 'error' }
  const first = startSupervised({ ...env, PORT: String(port) })
  onTestFinished(() => void first.child.kill('SIGKILL'))
  await first.untilLogged('is ready at')
  const postgres = postgresPid(dataDir)
  const refusal = async () =>
    await startProcess({ ...env, PORT: String(otherPort) }).then(
      () => 'it started',
      (error: unknown) => String(error),
    )

  const refused = await refusal()
  expect(refused).toContain('ended with 1 before it was ready')
  const [, pid] = /Flashsheet already runs on \S+ \(process (\d+), http:\/\/localhost:(?:\d+)\)/.exec(refused) ?? []
  expect(refused).toContain(`(process ${pid}, http://localhost:${port})`)
  expect((await fetch(`http://localhost:${port}/readyz`)).status).toBe(200)

  process.kill(Number(pid), 'SIGKILL')
  await first.untilLogged('is ready at', 2)
  expect(postgresPid(dataDir)).toBe(postgres)
  expect((await fetch(`http://localhost:${port}/readyz`)).status).toBe(200)
  expect(await refusal()).not.toContain(`process ${pid},`)

  first.child.kill('SIGTERM')
  expect(await first.exited).toEqual([0, null])
  expect(isAlive(postgres)).toBe(false)
})

test('a database that ends, on a full disk for example, is started again', async () => {
  const dataDir = fs.mkdtempSync(path.join(tmpdir(), 'flashsheet-database-'))
  fs.chmodSync(dataDir, 0o755)
  onTestFinished(() => fs.rmSync(dataDir, { recursive: true, force: true }))
  const [port] = await freePorts(1)
  const product = startSupervised({ DATA_DIR: dataDir, SANDBOX: 'off', LOG_LEVEL: 'error', PORT: String(port) })
  onTestFinished(() => void product.child.kill('SIGKILL'))
  await product.untilLogged('is ready at')
  const postgres = postgresPid(dataDir)

  process.kill(postgres, 'SIGKILL')
  await product.untilLogged('is ready at', 2)
  expect(postgresPid(dataDir)).not.toBe(postgres)
  expect((await fetch(`http://localhost:${port}/readyz`)).status).toBe(200)

  product.child.kill('SIGTERM')
  expect(await product.exited).toEqual([0, null])
})

test('invalid settings end the supervisor with the reason, without a restart', async () => {
  const wrong = startSupervised({ PORT: 'many', DATA_DIR: tmpdir() })
  await wrong.untilLogged('PORT must be a whole number')
  expect(await wrong.exited).toEqual([78, null])
})
