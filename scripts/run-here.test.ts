import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const here = fileURLToPath(new URL('.', import.meta.url))
/** Says that it runs, stops in order at SIGTERM, and says so. */
const product = `process.on('SIGTERM', () => { console.log('stopped in order'); process.exit(0) }); console.log('running'); setInterval(() => {}, 1000)`
const launcher = `import { runHere } from './run-here.mjs'; process.exit(await runHere(process.execPath, ['-e', process.env.PRODUCT], { cwd: '.' }))`

function begin(command: string, args: string[]): { child: ChildProcess; said: (text: string) => Promise<void> } {
  const child = spawn(command, args, { cwd: here, env: { ...process.env, PRODUCT: product, LAUNCHER: launcher, NODE: process.execPath, npm_lifecycle_event: 'start' }, stdio: ['ignore', 'pipe', 'inherit'] })
  let heard = ''
  child.stdout?.on('data', (chunk: Buffer) => (heard += chunk.toString()))
  const said = async (text: string) => {
    while (!heard.includes(text)) await once(child.stdout!, 'data')
  }
  return { child, said }
}

test('SIGTERM to the launcher stops the product in order, and its exit code is passed on', async () => {
  const { child, said } = begin(process.execPath, ['--input-type=module', '-e', launcher])
  await said('running')
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  await said('stopped in order')
})

test('so does the death of the shell between npm and the launcher', async () => {
  // The second command keeps the shell from handing its place to the first.
  const { child, said } = begin('sh', ['-c', '"$NODE" --input-type=module -e "$LAUNCHER"; true'])
  await said('running')
  child.kill('SIGTERM')
  await expect(said('stopped in order')).resolves.toBeUndefined()
})
