import { startEmbeddedPostgres } from '@flashsheet/db/embedded'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from './ports.ts'

/** How a server goes away: it ends sessions in order, cuts them off, or is killed with everything it started. */
export const stopWays = ['fast', 'immediate', 'killed'] as const
export type StopWay = (typeof stopWays)[number]

/** A Postgres of one test's own, durable and always at the same address, that can be harmed. */
export type OwnPostgres = {
  url: string
  start: () => Promise<void>
  stop: (way: StopWay) => Promise<void>
  /** Stops it in order, copies its data folder and starts it again: a physical backup. */
  backUp: () => Promise<void>
  /** Kills it and starts it anew with the data of the last backup, as when a replica takes over that was left behind then. */
  restore: () => Promise<void>
  /** Kills every session's backend; the server then throws out all others and recovers, as after a crash of one. */
  killBackends: () => Promise<void>
  /** Stops every process of the server in its tracks, so that nothing is refused and nothing answered, until `thaw`. */
  freeze: () => Promise<void>
  thaw: () => Promise<void>
  /** Ends it and takes its files away. */
  remove: () => Promise<void>
}

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const
const inMemory = '/dev/shm'

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const folder = mkdtempSync(path.join(existsSync(inMemory) ? inMemory : tmpdir(), 'flashsheet-own-postgres-'))
  // mkdtemp's folder is its owner's alone; root's Postgres runs as somebody else and would move its data elsewhere.
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
    await gone(all)
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
      if (backends.length === 0) throw new Error('nobody is connected')
      for (const pid of backends) signal(pid, 'SIGKILL')
      await gone(backends)
    },
    freeze: async () => {
      // A process it starts meanwhile is stopped too.
      for (let again = pids(); again.length > 0; again = pids().filter((pid) => !isStopped(pid)))
        for (const pid of again) signal(pid, 'SIGSTOP')
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

/** A copy that belongs to whom its original does, in place of what was there. */
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

/** What Linux says of a process; empty when it is gone. */
function told(pid: number, about: string): string {
  try {
    return readFileSync(`/proc/${pid}/${about}`, 'utf8')
  } catch {
    return ''
  }
}

const childrenOf = (pid: number): number[] => told(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number)
const commandOf = (pid: number): string => told(pid, 'cmdline')
const stateOf = (pid: number): string => /\) (\w)/.exec(told(pid, 'stat'))?.[1] ?? 'X'
const isStopped = (pid: number): boolean => ['T', 'X', 'Z'].includes(stateOf(pid))

async function gone(pids: readonly number[]): Promise<void> {
  const until = Date.now() + 30_000
  while (pids.some((pid) => !['X', 'Z'].includes(stateOf(pid)))) {
    if (Date.now() > until) throw new Error('the server did not end')
    await sleep(10)
  }
}
