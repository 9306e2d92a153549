import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freePorts } from './testing/ports.ts'
import { startProcess } from './testing/processes.ts'

const dataDir = mkdtempSync(path.join(tmpdir(), 'flashsheet-last-net-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

test.each([
  ['an error thrown in a timer', `setTimeout(() => { throw new Error('nobody caught this') })`],
  ['a rejected promise', `Promise.reject(new Error('nobody caught this'))`],
])(
  '%s that nothing catches is logged, and the process stops in order with its own exit code',
  { timeout: 120_000 },
  async (_what, code) => {
    const trigger = path.join(dataDir, 'trigger.mjs')
    writeFileSync(trigger, `process.on('SIGUSR2', () => { ${code} })`)
    const [port] = await freePorts(1)
    const product = await startProcess({
      ROLE: 'sandbox',
      DATA_DIR: dataDir,
      SANDBOX_PORT: String(port),
      LOG_LEVEL: 'error',
      NODE_OPTIONS: `--import=${trigger}`,
    })
    const exited = once(product.child, 'close') as Promise<[number | null, string | null]>
    product.child.kill('SIGUSR2')
    expect(await exited).toEqual([70, null])
    expect(product.output()).toContain('nobody caught this')
    expect(product.output()).toContain('an error was not caught: this process ends')
  },
)
