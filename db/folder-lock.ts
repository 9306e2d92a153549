import { createHash, randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import * as net from 'node:net'
import * as os from 'node:os'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The process that uses a folder; its lock sends this to whoever connects. */
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

/** The longest socket path, in bytes, that every system accepts. */
const maxSocketPath = 100
const probeTimeoutMs = 2000
const maxAttempts = 20
/** Two processes that find the same stale lock may both replace it; after this time only one of the locks remains. */
const raceMs = 30

/**
 * Locks a folder for this process until it ends or releases it. The lock is a socket beside the folder on which this
 * process listens. The socket of a dead process accepts no connection, even if its id was reused, so a stale lock blocks
 * nothing. It works across containers that share the disk. Throws FolderInUseError when a live process has the lock.
 */
export async function lockFolder(folder: string, user: FolderUser): Promise<() => Promise<void>> {
  const absolute = path.resolve(folder)
  fs.mkdirSync(path.dirname(absolute), { recursive: true })
  for (const lockPath of lockPathsOf(absolute)) {
    const release = await lockAt(lockPath, absolute, user)
    if (release) return release
  }
  throw new Error(
    `There is no place for a lock of ${absolute}: neither its own disk nor ${os.tmpdir()} takes a socket.`,
  )
}

/** Beside the folder, otherwise in the temporary folder, since some disks do not support sockets. Windows has pipes. */
function lockPathsOf(folder: string): string[] {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  if (process.platform === 'win32') return [`\\\\.\\pipe\\flashsheet-${name}`]
  const beside = `${folder}.lock`
  return [
    ...(Buffer.byteLength(beside) <= maxSocketPath ? [beside] : []),
    path.join(os.tmpdir(), `flashsheet-${name}.lock`),
  ]
}

/** Undefined when no socket can be created there. */
async function lockAt(lockPath: string, folder: string, user: FolderUser): Promise<(() => Promise<void>) | undefined> {
  const isPipe = process.platform === 'win32'
  // Listens under a temporary name first, so that the lock accepts connections from the moment it exists.
  const own = isPipe ? lockPath : `${lockPath.slice(0, -'.lock'.length)}.${randomUUID().slice(0, 4)}`
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
      throw new FolderInUseError(folder, (await probe(lockPath)).user)
    return undefined
  }
  server.unref()
  // Any account may connect.
  if (!isPipe) fs.chmodSync(own, 0o666)
  const close = async () => await new Promise<void>((resolve) => server.close(() => resolve()))
  if (isPipe) return close
  const { ino } = fs.statSync(own)
  const isOurs = () => fs.statSync(lockPath, { throwIfNoEntry: false })?.ino === ino
  try {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      if (!tryLink(own, lockPath)) {
        const { alive, user: other } = await probe(lockPath)
        if (alive || !(await removeStale(lockPath, `${own}.x`))) throw new FolderInUseError(folder, other)
        continue
      }
      await sleep(raceMs)
      if (!isOurs()) continue
      return async () => {
        if (isOurs()) fs.rmSync(lockPath, { force: true })
        await close()
      }
    }
    throw new FolderInUseError(folder, undefined)
  } catch (error) {
    await close()
    throw error
  } finally {
    // Closing a server unlinks only the temporary name it was created with, not the lock's name.
    fs.rmSync(own, { force: true })
  }
}

/** Links the socket to the lock's name; false when that exists. */
function tryLink(own: string, lockPath: string): boolean {
  try {
    fs.linkSync(own, lockPath)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Removes a stale lock. Another process may have just replaced it by a live one: that is put back, and false returned. */
async function removeStale(lockPath: string, renamedPath: string): Promise<boolean> {
  try {
    fs.renameSync(lockPath, renamedPath)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true
    throw error
  }
  const { alive } = await probe(renamedPath)
  if (alive) tryLink(renamedPath, lockPath)
  fs.rmSync(renamedPath, { force: true })
  return !alive
}

/** Whether a process listens at a lock, and which. A frozen process sends nothing but still has the lock. */
async function probe(lockPath: string): Promise<{ alive: boolean; user: FolderUser | undefined }> {
  return await new Promise((resolve) => {
    let received = ''
    let alive = false
    const socket = net.connect(lockPath)
    const end = () => {
      clearTimeout(deadline)
      socket.destroy()
      resolve({ alive, user: alive ? parseUser(received) : undefined })
    }
    const deadline = setTimeout(end, probeTimeoutMs)
    socket.setEncoding('utf8').on('data', (text: string) => (received += text))
    socket.once('connect', () => (alive = true))
    socket.once('end', end)
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // These two mean that nothing listens there. Any other error (no permission, full backlog) proves nothing.
      alive ||= error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'
      end()
    })
  })
}

function parseUser(json: string): FolderUser | undefined {
  try {
    return JSON.parse(json) as FolderUser
  } catch {
    return undefined
  }
}
