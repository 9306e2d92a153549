import { readFileSync } from 'node:fs'
import { spawn, type ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { unavailable } from './errors.ts'

/** Runs tasks in child processes, which may crash or be killed without harm to this one (docs/decisions/0033-files-are-opened-by-processes-of-their-own.md). */
export type ProcessPool = {
  /**
   * Returns the child's answer to `task`. Throws ProcessGone when the child crashed or took longer than `deadlineMs` (up to six times
   * that on a machine too busy to let it work), `unavailable` when too many tasks wait or the pool is stopped, and an Error when no child can be started.
   */
  run: (owner: string, task: object, deadlineMs: number) => Promise<unknown>
  /** Kills every child. Unfinished tasks throw `unavailable`. */
  stop: () => Promise<void>
}

/** The child crashed or was killed during the task. The next task gets another child. */
export class ProcessGone extends Error {
  readonly because: 'died' | 'late'
  constructor(because: 'died' | 'late', message: string) {
    super(message)
    this.name = 'ProcessGone'
    this.because = because
  }
}

export type PoolOptions = {
  /** The module that a child runs; it calls `serveTasks`. */
  entry: URL
  /** The maximum number of children. */
  size: number
  heapMegabytes: number
  /** The memory limit of a child, native libraries included. Enforced by the operating system: not on Windows, and barely on macOS. */
  dataMegabytes: number
  /** The maximum number of waiting tasks, of all owners and of one. */
  mostWaiting: number
  mostWaitingOfOne: number
  /** The longest that a task waits for a child. */
  waitMs: number
  /** A child that had no task for this long is killed. */
  idleMs: number
  /** A child is replaced after this many tasks, so that leaked memory is freed. */
  tasksPerChild: number
  /** The message of the refusal when too many tasks wait. */
  busyMessage: string
}

type Waiting = {
  owner: string
  task: object
  deadlineMs: number
  resolve: (answer: unknown) => void
  reject: (error: unknown) => void
  timer: NodeJS.Timeout
}
type Child = {
  process: ChildProcess
  isReady: boolean
  tasks: number
  job: Waiting | undefined
  isLate: boolean
  deadline: NodeJS.Timeout | undefined
  idle: NodeJS.Timeout | undefined
}

/** Nice value: lower priority than the processes that answer requests. */
const niceness = 5
const retryAfterSeconds = 10
/** On a busy machine a task may take this multiple of its deadline by the clock. */
const maxDeadlineFactor = 6
const maxFailedStarts = 3
const maxStderrCharacters = 1000

export function openProcessPool(options: PoolOptions): ProcessPool {
  /** Round robin: owners in the order of their next turn, the tasks of one in the order they came. */
  const waiting = new Map<string, Waiting[]>()
  const children = new Set<Child>()
  let count = 0
  let failedStarts = 0
  let isStopped = false

  const busyOwners = () => new Set([...children].flatMap(({ job }) => job?.owner ?? []))

  /** The next task of an owner who has none under way. The owner moves to the end. */
  const takeNext = (): Waiting | undefined => {
    const busy = busyOwners()
    for (const [owner, line] of waiting) {
      if (busy.has(owner)) continue
      const next = line.shift()
      waiting.delete(owner)
      if (line.length > 0) waiting.set(owner, line)
      if (!next) continue
      count -= 1
      clearTimeout(next.timer)
      return next
    }
    return undefined
  }

  const rejectAll = (error: unknown) => {
    for (const line of waiting.values()) {
      for (const one of line) {
        clearTimeout(one.timer)
        one.reject(error)
      }
    }
    waiting.clear()
    count = 0
  }

  const advance = () => {
    for (const child of children) {
      if (!child.isReady || child.job) continue
      const next = takeNext()
      if (!next) return
      give(child, next)
    }
    const starting = [...children].filter(({ isReady }) => !isReady).length
    const owners = [...waiting.keys()].filter((owner) => !busyOwners().has(owner)).length
    if (!isStopped && owners > starting && children.size < options.size) start()
  }

  const give = (child: Child, job: Waiting) => {
    child.job = job
    child.tasks += 1
    clearTimeout(child.idle)
    keepAlive(child.process, true)
    const [begun, usedBefore] = [performance.now(), processorMs(child.process.pid)]
    const look = () => {
      // On a busy machine a harmless file may wait long for processor time.
      const used = processorMs(child.process.pid) - usedBefore
      if (used < job.deadlineMs / 2 && performance.now() - begun < job.deadlineMs * maxDeadlineFactor) {
        child.deadline = setTimeout(look, job.deadlineMs / 2)
        return
      }
      child.isLate = true
      child.process.kill('SIGKILL')
    }
    child.deadline = setTimeout(look, job.deadlineMs)
    child.process.send(job.task, (error) => {
      if (error) child.process.kill('SIGKILL')
    })
  }

  const answered = (child: Child, answer: unknown) => {
    if (!child.isReady) {
      child.isReady = true
      failedStarts = 0
    } else {
      const { job } = child
      clearTimeout(child.deadline)
      child.job = undefined
      job?.resolve(answer)
      if (child.tasks >= options.tasksPerChild) {
        children.delete(child)
        child.process.kill('SIGKILL')
      }
    }
    rest(child)
    advance()
  }

  const rest = (child: Child) => {
    keepAlive(child.process, false)
    clearTimeout(child.idle)
    child.idle = setTimeout(() => {
      if (child.job) return
      children.delete(child)
      child.process.kill('SIGKILL')
    }, options.idleMs)
    child.idle.unref()
  }

  const gone = (child: Child, how: string) => {
    const { job, isReady, isLate } = child
    children.delete(child)
    clearTimeout(child.deadline)
    clearTimeout(child.idle)
    child.job = undefined
    job?.reject(
      isStopped
        ? unavailable(errorMessages.shuttingDown)
        : new ProcessGone(isLate ? 'late' : 'died', isLate ? 'it took too long' : `the process ended with ${how}`),
    )
    if (!isReady && !isStopped) {
      failedStarts += 1
      // A process that ends before its first task was not ended by a file.
      if (failedStarts >= maxFailedStarts) {
        failedStarts = 0
        rejectAll(new Error(`the process that looks at files cannot be started, it ended with ${how}`))
      }
    }
    advance()
  }

  const start = () => {
    const child: Child = {
      process: spawnChild(options),
      isReady: false,
      tasks: 0,
      job: undefined,
      isLate: false,
      deadline: undefined,
      idle: undefined,
    }
    children.add(child)
    // Logged only when a process does not start: the output of a crash is long and may contain data.
    let said = ''
    child.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(0, maxStderrCharacters)
    })
    const once = oneTime((how: string) => gone(child, child.isReady ? how : `${how}: ${said}`))
    child.process.once('error', (error) => {
      child.process.kill('SIGKILL')
      once(error.message)
    })
    child.process.once('exit', (code, signal) => once(signal ?? `code ${code}`))
    child.process.on('message', (answer) => answered(child, answer))
    // This process stays alive while a child has a task or is starting.
    keepAlive(child.process, true)
  }

  return {
    run: (owner, task, deadlineMs) =>
      new Promise((resolve, reject) => {
        const line = waiting.get(owner) ?? []
        if (isStopped) return reject(unavailable(errorMessages.shuttingDown))
        if (count >= options.mostWaiting || line.length >= options.mostWaitingOfOne)
          return reject(unavailable(options.busyMessage, retryAfterSeconds))
        const job: Waiting = {
          owner,
          task,
          deadlineMs,
          resolve,
          reject,
          timer: setTimeout(() => giveUp(job), options.waitMs),
        }
        waiting.set(owner, [...line, job])
        count += 1
        advance()
      }),
    async stop() {
      isStopped = true
      rejectAll(unavailable(errorMessages.shuttingDown))
      const ended = [...children].map(async (child) => {
        if (child.process.exitCode !== null || child.process.signalCode !== null) return
        const exited = new Promise<void>((resolve) => child.process.once('exit', () => resolve()))
        keepAlive(child.process, true)
        child.process.kill('SIGKILL')
        await exited
      })
      await Promise.all(ended)
    },
  }

  function giveUp(job: Waiting): void {
    const line = (waiting.get(job.owner) ?? []).filter((one) => one !== job)
    if (line.length > 0) waiting.set(job.owner, line)
    else waiting.delete(job.owner)
    count -= 1
    job.reject(unavailable(options.busyMessage, retryAfterSeconds))
  }
}

function oneTime(work: (how: string) => void): (how: string) => void {
  let done = false
  return (how) => {
    if (done) return
    done = true
    work(how)
  }
}

function keepAlive(child: ChildProcess, on: boolean): void {
  if (on) {
    child.ref()
    child.channel?.ref()
  } else {
    child.unref()
    child.channel?.unref()
    // The type does not say that it is a socket.
    ;(child.stderr as Socket | null)?.unref()
  }
}

/** The processor time of a process in milliseconds; NaN where it is not known, so that only the clock counts. */
function processorMs(pid: number | undefined): number {
  try {
    const [, fields = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    const [user, system] = fields.split(' ').slice(11, 13).map(Number)
    // Linux counts in hundredths of a second.
    return ((user ?? NaN) + (system ?? NaN)) * 10
  } catch {
    return NaN
  }
}

/** Starts a child with an empty environment, so that it has no keys and passwords. */
function spawnChild({ entry, heapMegabytes, dataMegabytes }: PoolOptions): ChildProcess {
  const command = [process.execPath, `--max-old-space-size=${heapMegabytes}`, fileURLToPath(entry)]
  // Node limits its own heap only. `ulimit` also bounds the memory of native libraries.
  const [program = '', ...args] =
    process.platform === 'win32'
      ? command
      : ['/bin/sh', '-c', `ulimit -d ${dataMegabytes * 1024}; exec "$@"`, 'sh', ...command]
  const child = spawn(program, args, { env: {}, stdio: ['ignore', 'ignore', 'pipe', 'ipc'], serialization: 'advanced' })
  try {
    if (child.pid !== undefined) setPriority(child.pid, niceness)
  } catch {
    // It has exited already; its `exit` event follows.
  }
  return child
}
