import { createHash, randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import * as net from 'node:net'
import * as os from 'node:os'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The process that uses a folder, as its lock answers. */
export type FolderUser = { pid: number; address: string }

/** A live process uses the folder; `user` is undefined when it did not answer in time. */
export class FolderInUseError extends Error {
  readonly user: FolderUser | undefined
  constructor(folder: string, user: FolderUser | undefined) {
    const who = user ? ` (process ${user.pid}, ${user.address})` : ''
    super(`Flashsheet already runs on ${folder}${who}. Stop it, or set DATA_DIR to another folder.`)
    this.name = 'FolderInUseError'
    this.user = user
  }
}

/** The longest socket path that every system accepts. */
const longestPath = 100
const answerMs = 2000
const tries = 20
/** Two processes that find the same stale lock may both replace it; after this time only one is still there. */
const raceMs = 30

/**
 * Locks a folder for this process until it ends or releases it. The lock is a socket beside the folder on which this
 * process listens: of a dead process nobody answers, even if its id was reused, so a stale lock blocks nobody. It works
 * across containers that share the disk. Throws FolderInUseError when another live process has it.
 */
export async function lockFolder(folder: string, user: FolderUser): Promise<() => Promise<void>> {
  const real = path.resolve(folder)
  fs.mkdirSync(path.dirname(real), { recursive: true })
  for (const place of lockPathsOf(real)) {
    const held = await lockAt(place, real, user)
    if (held) return held
  }
  throw new Error(`There is no place for a lock of ${real}: neither its own disk nor ${os.tmpdir()} takes a socket.`)
}

/**
 * Beside the folder, else in the temporary folder: some disks, and Windows, do not support sockets in the file system.
 */
function lockPathsOf(folder: string): string[] {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  if (process.platform === 'win32') return [`\\\\.\\pipe\\flashsheet-${name}`]
  const beside = `${folder}.lock`
  return [
    ...(Buffer.byteLength(beside) <= longestPath ? [beside] : []),
    path.join(os.tmpdir(), `flashsheet-${name}.lock`),
  ]
}

/** Undefined when no socket can be made there. */
async function lockAt(place: string, folder: string, user: FolderUser): Promise<(() => Promise<void>) | undefined> {
  const isPipe = process.platform === 'win32'
  // Listens under a temporary name first, so that it answers from the moment it has the lock's name.
  const own = isPipe ? place : `${place.slice(0, -'.lock'.length)}.${randomUUID().slice(0, 4)}`
  const server = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.end(`${JSON.stringify(user)}\n`)
  })
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(own, resolve)
    })
  } catch (error) {
    if (isPipe && (error as NodeJS.ErrnoException).code === 'EADDRINUSE')
      throw new FolderInUseError(folder, (await probe(place)).user)
    return undefined
  }
  server.unref()
  // Any account may connect.
  if (!isPipe) fs.chmodSync(own, 0o666)
  const close = async () => await new Promise<void>((resolve) => server.close(() => resolve()))
  if (isPipe) return close
  const { ino } = fs.statSync(own)
  const isOurs = () => fs.statSync(place, { throwIfNoEntry: false })?.ino === ino
  try {
    for (let attempt = 0; attempt < tries; attempt += 1) {
      if (!linked(own, place)) {
        const { alive, user: other } = await probe(place)
        if (alive || !(await removeDead(place, `${own}.x`))) throw new FolderInUseError(folder, other)
        continue
      }
      await sleep(raceMs)
      if (!isOurs()) continue
      return async () => {
        if (isOurs()) fs.rmSync(place, { force: true })
        await close()
      }
    }
    throw new FolderInUseError(folder, undefined)
  } catch (error) {
    await close()
    throw error
  } finally {
    // Closing a server unlinks the name it was created with; the lock's name is another one.
    fs.rmSync(own, { force: true })
  }
}

/** Links the socket to the lock's name, unless that exists. */
function linked(own: string, place: string): boolean {
  try {
    fs.linkSync(own, place)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Removes a stale lock. False when it was replaced by a live one meanwhile, which is put back. */
async function removeDead(place: string, aside: string): Promise<boolean> {
  try {
    fs.renameSync(place, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true
    throw error
  }
  const { alive } = await probe(aside)
  if (alive) linked(aside, place)
  fs.rmSync(aside, { force: true })
  return !alive
}

/** Whether a process listens at a lock, and which. A frozen one does not answer and still has it. */
async function probe(place: string): Promise<{ alive: boolean; user: FolderUser | undefined }> {
  return await new Promise((resolve) => {
    let said = ''
    let alive = false
    const socket = net.connect(place)
    const end = () => {
      clearTimeout(deadline)
      socket.destroy()
      resolve({ alive, user: alive ? parsed(said) : undefined })
    }
    const deadline = setTimeout(end, answerMs)
    socket.setEncoding('utf8').on('data', (text: string) => (said += text))
    socket.once('connect', () => (alive = true))
    socket.once('end', end)
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // Nobody listens, or the name is gone. Any other error (no permission, full backlog) does not prove that it is
      // free.
      alive ||= error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'
      end()
    })
  })
}

function parsed(said: string): FolderUser | undefined {
  try {
    return JSON.parse(said) as FolderUser
  } catch {
    return undefined
  }
}
