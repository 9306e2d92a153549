import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FolderInUseError, lockFolder } from './folder-lock.ts'

const moduleUrl = new URL('folder-lock.ts', import.meta.url).href
const program = `
  const { lockFolder } = await import(${JSON.stringify(moduleUrl)})
  await lockFolder(process.env.FOLDER, { pid: process.pid, address: 'http://localhost:4000' })
  console.log('locked')
  setInterval(() => {}, 1000)`

function newFolder(): string {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'lock-'))
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }))
  return path.join(dir, 'postgres')
}

/** Starts another process that takes the lock. */
async function startHolder(folder: string, code = program): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    env: { ...process.env, FOLDER: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  if (child.stdout) await once(child.stdout, 'data')
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

test('rejects a folder that another process uses, with its process id and address', async () => {
  const folder = newFolder()
  const { pid } = await startHolder(folder)
  const refused = lockFolder(folder, { pid: process.pid, address: 'http://localhost:5000' })
  await expect(refused).rejects.toThrow(`Flashsheet already runs on ${folder} (process ${pid}, http://localhost:4000).`)
  await expect(refused).rejects.toBeInstanceOf(FolderInUseError)
})

test('a frozen process keeps its lock', async () => {
  const folder = newFolder()
  const child = await startHolder(folder)
  child.kill('SIGSTOP')
  await expect(lockFolder(folder, { pid: 1, address: '' })).rejects.toThrow(
    `Flashsheet already runs on ${folder}. Stop it`,
  )
})

test('replaces the lock of a killed process', async () => {
  const folder = newFolder()
  await kill(await startHolder(folder))
  expect(fs.existsSync(`${folder}.lock`)).toBe(true)
  const unlock = await lockFolder(folder, { pid: process.pid, address: '' })
  await expect(lockFolder(folder, { pid: process.pid, address: '' })).rejects.toBeInstanceOf(FolderInUseError)
  // Another account must be able to find out that it is stale, too.
  expect(fs.statSync(`${folder}.lock`).mode & 0o777).toBe(0o666)
  await unlock()
  expect(fs.readdirSync(path.dirname(folder))).toEqual([])
})

test('does not replace a lock of which it is unknown whether it is stale', async () => {
  const folder = newFolder()
  fs.symlinkSync(`${folder}.lock`, `${folder}.lock`)
  await expect(lockFolder(folder, { pid: process.pid, address: '' })).rejects.toBeInstanceOf(FolderInUseError)
  expect(fs.readdirSync(path.dirname(folder))).toEqual(['postgres.lock'])
})

test('does not release the lock of another process that has taken its place', async () => {
  const folder = newFolder()
  const unlock = await lockFolder(folder, { pid: process.pid, address: '' })
  fs.rmSync(`${folder}.lock`)
  await startHolder(folder)
  await unlock()
  await expect(lockFolder(folder, { pid: process.pid, address: '' })).rejects.toBeInstanceOf(FolderInUseError)
})

test('a process with a lock ends when it has nothing else to do', async () => {
  const child = await startHolder(newFolder(), program.replace('setInterval(() => {}, 1000)', ''))
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('gives the folder to one of many callers that find the lock of a killed process', async () => {
  const folder = newFolder()
  await kill(await startHolder(folder))
  const all = await Promise.allSettled(
    Array.from({ length: 12 }, async () => await lockFolder(folder, { pid: process.pid, address: '' })),
  )
  const won = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  expect(won).toHaveLength(1)
  for (const unlock of won) await unlock()
})

test('a released folder can be locked again, and no file remains beside it', async () => {
  const folder = newFolder()
  for (let turn = 0; turn < 2; turn += 1) await (await lockFolder(folder, { pid: process.pid, address: '' }))()
  expect(fs.readdirSync(path.dirname(folder))).toEqual([])
})

test('locks a path that is too long for a socket', async () => {
  const folder = path.join(newFolder(), 'long'.repeat(30))
  const unlock = await lockFolder(folder, { pid: process.pid, address: '' })
  await expect(lockFolder(folder, { pid: process.pid, address: '' })).rejects.toBeInstanceOf(FolderInUseError)
  await unlock()
})
