import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const here = fileURLToPath(new URL('.', import.meta.url))
/** A product that prints `running`, and shuts down at SIGTERM. */
const steady = `process.on('SIGTERM', () => { console.log('stopped in order'); process.exit(0) }); process.send('ready'); console.log('running'); setInterval(() => {}, 1000)`
const launcher = `
  import { supervise } from './supervise.mjs'
  const pauses = JSON.parse(process.env.PAUSES)
  process.exit(await supervise(process.execPath, ['-e', process.env.PRODUCT], { cwd: '.', cleanUp: ['-e', 'console.log("cleaned up")'], ...pauses }))`
const short = { firstPauseMs: 10, longestPauseMs: 40 }

function launch(
  command: string,
  args: string[],
  { product = steady, pauses = {} }: { product?: string; pauses?: Record<string, number> } = {},
) {
  const env = {
    ...process.env,
    PRODUCT: product,
    LAUNCHER: launcher,
    PAUSES: JSON.stringify(pauses),
    NODE: process.execPath,
    npm_lifecycle_event: 'start',
  }
  const child = spawn(command, args, { cwd: here, env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const printed = async (text: string, times = 1) => {
    while (output.split(text).length <= times)
      await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')])
  }
  return { child, printed, output: () => output }
}

const supervised = (product: string, pauses: Record<string, number> = short) =>
  launch(process.execPath, ['--input-type=module', '-e', launcher], { product, pauses })
const ended = async (child: ChildProcess) => await once(child, 'close')

/** A product that counts its starts in a file. */
function countingProduct(each: string): { product: string; starts: () => number } {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'supervise-')), 'starts')
  onTestFinished(() => fs.rmSync(path.dirname(file), { recursive: true }))
  fs.writeFileSync(file, '')
  const product = `const fs = require('node:fs'); fs.appendFileSync(${JSON.stringify(file)}, '.'); const starts = fs.readFileSync(${JSON.stringify(file)}).length; ${each}`
  return { product, starts: () => fs.readFileSync(file).length }
}

test('SIGTERM to the launcher shuts the product down gracefully, and its exit code is passed on', async () => {
  const { child, printed } = launch(process.execPath, ['--input-type=module', '-e', launcher])
  await printed('running')
  child.kill('SIGTERM')
  expect(await ended(child)).toEqual([0, null])
  await printed('stopped in order')
})

test('the death of the shell between npm and the launcher stops the product too', async () => {
  // The second command keeps the shell from replacing itself with the first.
  const { child, printed } = launch('sh', ['-c', '"$NODE" --input-type=module -e "$LAUNCHER"; true'])
  await printed('running')
  child.kill('SIGTERM')
  await expect(printed('stopped in order')).resolves.toBeUndefined()
})

test('does not restart after invalid settings', async () => {
  const { product, starts } = countingProduct('process.exit(78)')
  expect(await ended(supervised(product).child)).toEqual([78, null])
  expect(starts()).toBe(1)
})

test('does not restart a product that could not start', async () => {
  const { product, starts } = countingProduct('process.exit(1)')
  expect(await ended(supervised(product).child)).toEqual([1, null])
  expect(starts()).toBe(1)
})

test('restarts a product that crashed or was killed, with pauses that double up to the maximum', async () => {
  const { product, starts } = countingProduct(`
    if (starts === 5) { process.send('ready'); process.exit(0) }
    process.send('ready', () => starts % 2 ? process.exit(1) : process.kill(process.pid, 'SIGKILL'))`)
  const { child, output } = supervised(product)
  expect(await ended(child)).toEqual([0, null])
  expect(starts()).toBe(5)
  expect([...output().matchAll(/ended (.*)\. Restarting in (.*) s/g)].map(([, how, pause]) => [how, pause])).toEqual([
    ['with code 1', '0.01'],
    ['by SIGKILL', '0.02'],
    ['with code 1', '0.04'],
    ['by SIGKILL', '0.04'],
  ])
})

test('resets the pauses after a product that ran for long', async () => {
  const { product } = countingProduct(`if (starts === 4) process.exit(0); process.send('ready', () => process.exit(1))`)
  const { child, output } = supervised(product, { ...short, steadyMs: 0 })
  await ended(child)
  expect([...output().matchAll(/Restarting in (.*) s/g)].map(([, pause]) => pause)).toEqual(['0.01', '0.01', '0.01'])
})

test('a stop during a pause ends at once with 0, and cleans up after a killed product', async () => {
  const { child, printed } = supervised(`process.send('ready', () => process.kill(process.pid, 'SIGKILL'))`, {
    firstPauseMs: 600_000,
  })
  await printed('Restarting in')
  child.kill('SIGTERM')
  expect(await ended(child)).toEqual([0, null])
  await printed('cleaned up')
})
