import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, expect, test } from 'vitest'
import { eventually } from '../testing/sandbox.ts'
import { openProcessPool, type PoolOptions, type ProcessPool } from './process-pool.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'flashsheet-pool-'))
const serve = pathToFileURL(path.join(import.meta.dirname, 'serve-tasks.ts')).href
const entry = path.join(folder, 'entry.ts')
writeFileSync(
  entry,
  `import { serveTasks } from '${serve}'
  import * as fs from 'node:fs'
  serveTasks(async ({ what, file }) => {
    if (what === 'die') process.exit(3)
    if (what === 'spin') for (;;);
    if (what === 'heap') { const all = []; for (;;) all.push(new Array(1_000_000).fill(all)) }
    if (what === 'native') Buffer.alloc(1_500_000_000)
    if (what === 'wait') while (!fs.existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 5))
    return { pid: process.pid, secret: process.env.A_SECRET ?? 'none' }
  })`,
)
const broken = path.join(folder, 'broken.ts')
writeFileSync(broken, 'throw new Error("no")')

const opened: ProcessPool[] = []
const open = (options: Partial<PoolOptions> = {}) => {
  const pool = openProcessPool({
    entry: pathToFileURL(entry),
    size: 2,
    heapMegabytes: 64,
    dataMegabytes: 1024,
    waiting: 4,
    waitingPerOwner: 2,
    waitMs: 60_000,
    idleMs: 60_000,
    tasksPerChild: 100,
    busyMessage: 'busy',
    ...options,
  })
  opened.push(pool)
  return pool
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map(async (pool) => await pool.stop()))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const long = 30_000
type Answer = { pid: number; secret: string }

test.each([
  ['died', 'died', { what: 'die' }, long],
  ['spins for ever', 'late', { what: 'spin' }, 100],
  ['does nothing for ever', 'late', { what: 'wait', file: path.join(folder, 'never') }, 50],
  ['fills its heap', 'died', { what: 'heap' }, long],
  ['takes memory beside its heap', 'died', { what: 'native' }, long],
])(
  'a child that %s fails only its own task, and the next task is answered',
  async (_what, because, task, deadlineMs) => {
    const pool = open({ size: 1 })
    const lost = pool.run('a', task, deadlineMs).catch((error: unknown) => error)
    const next = pool.run('b', { what: 'answer' }, long)
    expect(await lost).toMatchObject({ name: 'ProcessTerminated', because })
    expect((await next) as Answer).toMatchObject({ pid: expect.any(Number) })
  },
)

test('a child has an empty environment', async () => {
  process.env['A_SECRET'] = 'a password'
  try {
    expect(await open().run('a', {}, long)).toMatchObject({ secret: 'none' })
  } finally {
    delete process.env['A_SECRET']
  }
})

test('runs one task of an owner at a time, and lets owners take turns', async () => {
  const pool = open({ waiting: 20, waitingPerOwner: 20 })
  const order: string[] = []
  const gate = path.join(folder, 'gate')
  const ask = async (owner: string, name: string, what: string) => {
    const answer = (await pool.run(owner, { what, file: gate }, long)) as Answer
    order.push(name)
    return answer
  }
  const first = ask('a', 'a1', 'wait')
  const others = [ask('a', 'a2', 'answer'), ask('a', 'a3', 'answer')]
  // The further tasks of the first owner wait although the second child is free.
  await Promise.all([ask('b', 'b1', 'answer'), ask('b', 'b2', 'answer'), ask('c', 'c1', 'answer')])
  expect(order).toEqual(['b1', 'c1', 'b2'])
  writeFileSync(gate, '')
  await Promise.all([first, ...others])
  expect(order.slice(3)).toEqual(['a1', 'a2', 'a3'])
})

test('refuses a task with Retry-After when too many wait', async () => {
  const pool = open({ size: 1 })
  const gate = path.join(folder, 'full')
  const busy = { kind: 'unavailable', message: 'busy', retryAfter: 10 }
  await pool.run('a', {}, long)
  // The child is started and free, so the first task does not wait.
  const under = pool.run('a', { what: 'wait', file: gate }, long)
  const waiting = [pool.run('a', {}, long), pool.run('a', {}, long)]
  await expect(pool.run('a', {}, long)).rejects.toMatchObject(busy)
  waiting.push(pool.run('b', {}, long), pool.run('c', {}, long))
  await expect(pool.run('d', {}, long)).rejects.toMatchObject(busy)
  writeFileSync(gate, '')
  await Promise.all([under, ...waiting])
})

test('refuses a task that waited too long, and does not run it later', async () => {
  const pool = open({ size: 1, waitMs: 100 })
  const gate = path.join(folder, 'slow')
  const under = pool.run('a', { what: 'wait', file: gate }, long)
  // The wait includes the start of the child, which takes longer.
  await expect(Promise.all([under, pool.run('b', {}, long)])).rejects.toMatchObject({ kind: 'unavailable' })
  writeFileSync(gate, '')
})

test('a child ends after a number of tasks, and after a time without any', async () => {
  const pool = open({ size: 1, tasksPerChild: 2 })
  const pids: number[] = []
  for (let n = 0; n < 3; n++) pids.push(((await pool.run('a', {}, long)) as Answer).pid)
  expect(pids[1]).toBe(pids[0])
  expect(pids[2]).not.toBe(pids[0])
  const short = open({ size: 1, idleMs: 1 })
  const { pid } = (await short.run('a', {}, long)) as Answer
  await eventually('the idle child is gone', async () => await Promise.resolve(!isAlive(pid)))
})

test('refuses tasks of a stopped pool, and leaves no process behind', async () => {
  const pool = open()
  const { pid } = (await pool.run('a', {}, long)) as Answer
  const under = pool.run('a', { what: 'spin' }, long).catch((error: unknown) => error)
  await pool.stop()
  expect(await under).toMatchObject({ kind: 'unavailable' })
  expect(isAlive(pid)).toBe(false)
  await expect(pool.run('a', {}, long)).rejects.toMatchObject({ kind: 'unavailable' })
})

test('fails the task with an error of its own when no child can be started', async () => {
  const pool = open({ entry: pathToFileURL(broken) })
  await expect(pool.run('a', {}, long)).rejects.toThrow('cannot be started')
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
