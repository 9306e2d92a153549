import { createHash, randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import * as net from 'node:net'
import * as os from 'node:os'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Who uses a folder, as it tells everybody who asks. */
export type FolderUser = { pid: number; address: string }

/** The folder is used by a process that is alive; undefined when it did not say in time which. */
export class FolderInUseError extends Error {
  readonly user: FolderUser | undefined
  constructor(folder: string, user: FolderUser | undefined) {
    const who = user ? ` (process ${user.pid}, ${user.address})` : ''
    super(`Flashsheet already runs on ${folder}${who}. Stop it, or set DATA_DIR to another folder.`)
    this.name = 'FolderInUseError'
    this.user = user
  }
}

/** The longest path of a socket that every system takes. */
const longestPath = 100
const answerMs = 2000
const tries = 20
/** Two processes that find the same dead lock both put theirs in its place: whose it is shows after this. */
const settleMs = 30

/**
 * Keeps a folder to this process until it ends or lets go. The lock is a socket beside the folder that this process listens on: of a
 * process that is gone nobody answers, whatever its number means by now, so that a lock left behind keeps nobody out. It works across
 * containers that share the disk. Throws FolderInUseError when another living process has it.
 */
export async function lockFolder(folder: string, user: FolderUser): Promise<() => Promise<void>> {
  const real = path.resolve(folder)
  fs.mkdirSync(path.dirname(real), { recursive: true })
  for (const place of placesOf(real)) {
    const held = await lockAt(place, real, user)
    if (held) return held
  }
  throw new Error(`There is no place for a lock of ${real}: neither its own disk nor ${os.tmpdir()} takes a socket.`)
}

/** Beside the folder, else where temporary files go: some disks, and Windows, have no sockets among their files. */
function placesOf(folder: string): string[] {
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
  // Listened on under a name of its own first: under the lock's name it answers from the beginning.
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
      throw new FolderInUseError(folder, (await ask(place)).user)
    return undefined
  }
  server.unref()
  // Everybody may ask, whoever they run as.
  if (!isPipe) fs.chmodSync(own, 0o666)
  const close = async () => await new Promise<void>((resolve) => server.close(() => resolve()))
  if (isPipe) return close
  const { ino } = fs.statSync(own)
  const isOurs = () => fs.statSync(place, { throwIfNoEntry: false })?.ino === ino
  try {
    for (let attempt = 0; attempt < tries; attempt += 1) {
      if (!linked(own, place)) {
        const { alive, user: other } = await ask(place)
        if (alive || !(await removeDead(place, `${own}.x`))) throw new FolderInUseError(folder, other)
        continue
      }
      await sleep(settleMs)
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
    // Closing a server takes the name it began with away; the lock's name is another one.
    fs.rmSync(own, { force: true })
  }
}

/** Gives the socket a second name, unless somebody has it. */
function linked(own: string, place: string): boolean {
  try {
    fs.linkSync(own, place)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Takes a dead lock away. False when it is a living one by now, which was put in its place meanwhile and goes back there. */
async function removeDead(place: string, aside: string): Promise<boolean> {
  try {
    fs.renameSync(place, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true
    throw error
  }
  const { alive } = await ask(aside)
  if (alive) linked(aside, place)
  fs.rmSync(aside, { force: true })
  return !alive
}

/** Whether somebody listens at a lock, and who it is. One that was stopped in its tracks says nothing and has it still. */
async function ask(place: string): Promise<{ alive: boolean; user: FolderUser | undefined }> {
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
      // Nobody listens, or the name is gone meanwhile. Everything else (no right to ask, too many askers) is no proof that it is free.
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
