import { startEmbeddedPostgres } from '@flashsheet/db/embedded'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from './ports.ts'

/** How a server stops: by ending its sessions, by terminating them, or by a kill of all its processes. */
const stopWays = ['fast', 'immediate', 'killed'] as const
type StopWay = (typeof stopWays)[number]

/** A durable Postgres for one test, always at the same address, that can be stopped and killed. */
export type OwnPostgres = {
  url: string
  start: () => Promise<void>
  stop: (way: StopWay) => Promise<void>
  /** Stops it, copies its data folder and starts it again: a physical backup. */
  backUp: () => Promise<void>
  /** Kills it and starts it with the data of the last backup, like a failover to a lagging replica. */
  restore: () => Promise<void>
  /** Kills the backend of every session. The server then ends all others and recovers, as after the crash of one. */
  killBackends: () => Promise<void>
  /** Suspends every process of the server (SIGSTOP), so that it neither refuses nor answers, until `thaw`. */
  freeze: () => Promise<void>
  thaw: () => Promise<void>
  /** Stops it and deletes its files. */
  remove: () => Promise<void>
}

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const
const ramDisk = '/dev/shm'

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const folder = mkdtempSync(path.join(existsSync(ramDisk) ? ramDisk : tmpdir(), 'flashsheet-own-postgres-'))
  // mkdtemp's folder is accessible to its owner only; root's Postgres runs as another account and would move its data
  // elsewhere.
  const dataDir = path.join(folder, 'postgres')
  chmodSync(folder, 0o755)
  const [port = 0] = await freePorts(1)
  const start = async () => await startEmbeddedPostgres({ dataDir, port, maxConnections: 200 })
  const { url } = await start()
  const serverPid = () => Number(readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0])
  const pids = () => [serverPid(), ...childrenOf(serverPid())]

  async function stop(way: StopWay): Promise<void> {
    if (!existsSync(path.join(dataDir, 'postmaster.pid'))) return
    const all = pids()
    if (way === 'killed') for (const pid of all) signal(pid, 'SIGKILL')
    else signal(serverPid(), signals[way])
    await waitForEnd(all)
  }
  return {
    url,
    start: async () => void (await start()),
    stop,
    async backUp() {
      await stop('fast')
      copyFolder(dataDir, `${dataDir}.backup`)
      await start()
    },
    async restore() {
      await stop('killed')
      copyFolder(`${dataDir}.backup`, dataDir)
      await start()
    },
    async killBackends() {
      const backends = childrenOf(serverPid()).filter((pid) => commandOf(pid).includes('flashsheet flashsheet'))
      if (backends.length === 0) throw new Error('no client is connected')
      for (const pid of backends) signal(pid, 'SIGKILL')
      await waitForEnd(backends)
    },
    freeze: async () => {
      // Repeated, since the server may start further processes in between.
      for (let running = pids(); running.length > 0; running = pids().filter((pid) => !isStopped(pid)))
        for (const pid of running) signal(pid, 'SIGSTOP')
      await Promise.resolve()
    },
    thaw: async () => {
      for (const pid of pids()) signal(pid, 'SIGCONT')
      await Promise.resolve()
    },
    async remove() {
      if (existsSync(path.join(dataDir, 'postmaster.pid'))) for (const pid of pids()) signal(pid, 'SIGCONT')
      await stop('killed')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Replaces a folder by a copy with the original's owner. */
function copyFolder(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the data folder was not copied: ${stderr}`)
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** A file of a process in /proc; empty when the process has ended. */
function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

const childrenOf = (pid: number): number[] =>
  procFile(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number)
const commandOf = (pid: number): string => procFile(pid, 'cmdline')
const stateOf = (pid: number): string => /\) (\w)/.exec(procFile(pid, 'stat'))?.[1] ?? 'X'
const isStopped = (pid: number): boolean => ['T', 'X', 'Z'].includes(stateOf(pid))

async function waitForEnd(pids: readonly number[]): Promise<void> {
  const until = Date.now() + 30_000
  while (pids.some((pid) => !['X', 'Z'].includes(stateOf(pid)))) {
    if (Date.now() > until) throw new Error('the server did not end')
    await sleep(10)
  }
}
