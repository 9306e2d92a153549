import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Starts Node; `ended` waits until every process that has its output has ended. */
function startNode(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return { child, output: () => output, ended: once(child, 'close') }
}

test('a build ends with the process that started it', async () => {
  const building = startNode([
    '--input-type=module',
    '-e',
    `import { run } from './scripts/build-web.ts'
     process.stdin.once('data', () => process.exit(1))
     void run(process.execPath, ['-e', 'console.log(process.pid); setInterval(() => {}, 1000)'])`,
  ])
  await once(building.child.stdout, 'data')
  onTestFinished(() => {
    if (building.child.stdout.closed) return
    process.kill(Number(building.output()), 'SIGKILL')
  })
  building.child.stdin.write('end\n')
  expect(await building.ended).toEqual([1, null])
})

test.each(['', ' all', ' web '])('a start with ROLE="%s" builds the web app', async (role) => {
  const env = { ROLE: role, PORT: 'wrong', DATA_DIR: tmpdir() }
  const start = startNode(['--import', './db/drizzle-resolve-hook.ts', 'scripts/start.ts'], env)
  expect(await start.ended).toEqual([78, null])
  expect(start.output()).toContain('Building the web app')
})
