import { readFileSync } from 'node:fs'
import { spawn, type ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { unavailable } from './errors.ts'

/** Runs tasks in child processes that may die or be ended without harm to this one (docs/decisions/0033-files-are-opened-by-processes-of-their-own.md). */
export type ProcessPool = {
  /**
   * Answers what the entry file answers for `task`. Throws ProcessGone when the child died over it or took longer than
   * `deadlineMs` (where the machine was too busy to let it work, up to six times that), `unavailable` when too many wait or the pool ends, and an Error when no child can be started.
   */
  run: (owner: string, task: object, deadlineMs: number) => Promise<unknown>
  /** Ends every child at once; whatever was asked for is refused as `unavailable`. */
  stop: () => Promise<void>
}

/** The child that had the task is gone, and another takes the next one. */
export class ProcessGone extends Error {
  readonly because: 'died' | 'late'
  constructor(because: 'died' | 'late', message: string) {
    super(message)
    this.name = 'ProcessGone'
    this.because = because
  }
}

export type PoolOptions = {
  /** What a child runs; it serves tasks by `serveTasks`. */
  entry: URL
  /** Children at a time. */
  size: number
  heapMegabytes: number
  /** Memory of a child altogether, native libraries included; the system holds it to that where it knows how (not on Windows, hardly on macOS). */
  dataMegabytes: number
  /** How many tasks may wait, and how many of one owner. */
  mostWaiting: number
  mostWaitingOfOne: number
  /** How long a task may wait for its turn. */
  waitMs: number
  /** A child without work for so long ends. */
  idleMs: number
  /** A child ends after so many tasks: what a file did to its memory ends with it. */
  tasksPerChild: number
  /** What is said to who comes when too many wait. */
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
  ready: boolean
  tasks: number
  job: Waiting | undefined
  late: boolean
  deadline: NodeJS.Timeout | undefined
  idle: NodeJS.Timeout | undefined
}

/** Below everything that answers somebody. */
const priority = 5
const retryAfterSeconds = 10
/** So many times its deadline a task may take by the clock when the machine has no processor for it. */
const mostPatience = 6
const mostFailedStarts = 3
const mostSaid = 1000

export function openProcessPool(options: PoolOptions): ProcessPool {
  /** In the order in which owners come next; one owner's tasks in the order they came. */
  const waiting = new Map<string, Waiting[]>()
  const children = new Set<Child>()
  let count = 0
  let failedStarts = 0
  let stopped = false

  const busyOwners = () => new Set([...children].flatMap(({ job }) => job?.owner ?? []))

  /** The next task whose owner has none under way; that owner goes to the end of the line. */
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
      if (!child.ready || child.job) continue
      const next = takeNext()
      if (!next) return
      give(child, next)
    }
    const starting = [...children].filter(({ ready }) => !ready).length
    const owners = [...waiting.keys()].filter((owner) => !busyOwners().has(owner)).length
    if (!stopped && owners > starting && children.size < options.size) start()
  }

  const give = (child: Child, job: Waiting) => {
    child.job = job
    child.tasks += 1
    clearTimeout(child.idle)
    keepAlive(child.process, true)
    const [begun, usedBefore] = [performance.now(), processorMs(child.process.pid)]
    const look = () => {
      // On a busy machine a good file may wait long for a processor, which is not its fault.
      const used = processorMs(child.process.pid) - usedBefore
      if (used < job.deadlineMs / 2 && performance.now() - begun < job.deadlineMs * mostPatience) {
        child.deadline = setTimeout(look, job.deadlineMs / 2)
        return
      }
      child.late = true
      child.process.kill('SIGKILL')
    }
    child.deadline = setTimeout(look, job.deadlineMs)
    child.process.send(job.task, (error) => {
      if (error) child.process.kill('SIGKILL')
    })
  }

  const answered = (child: Child, answer: unknown) => {
    if (!child.ready) {
      child.ready = true
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
    const { job, ready, late } = child
    children.delete(child)
    clearTimeout(child.deadline)
    clearTimeout(child.idle)
    child.job = undefined
    job?.reject(
      stopped
        ? unavailable(errorMessages.shuttingDown)
        : new ProcessGone(late ? 'late' : 'died', late ? 'it took too long' : `the process ended with ${how}`),
    )
    if (!ready && !stopped) {
      failedStarts += 1
      // No file is at fault where not even an empty process runs.
      if (failedStarts >= mostFailedStarts) {
        failedStarts = 0
        rejectAll(new Error(`the process that looks at files cannot be started, it ended with ${how}`))
      }
    }
    advance()
  }

  const start = () => {
    const child: Child = {
      process: spawnChild(options),
      ready: false,
      tasks: 0,
      job: undefined,
      late: false,
      deadline: undefined,
      idle: undefined,
    }
    children.add(child)
    // What a dying process writes is long and belongs in no log, but says why one does not even start.
    let said = ''
    child.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(0, mostSaid)
    })
    const once = oneTime((how: string) => gone(child, child.ready ? how : `${how}: ${said}`))
    child.process.once('error', (error) => {
      child.process.kill('SIGKILL')
      once(error.message)
    })
    child.process.once('exit', (code, signal) => once(signal ?? `code ${code}`))
    child.process.on('message', (answer) => answered(child, answer))
    // Only a task under way keeps this process; one that waits for the start does, too.
    keepAlive(child.process, true)
  }

  return {
    run: (owner, task, deadlineMs) =>
      new Promise((resolve, reject) => {
        const line = waiting.get(owner) ?? []
        if (stopped) return reject(unavailable(errorMessages.shuttingDown))
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
      stopped = true
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
    // A socket, although its type says less.
    ;(child.stderr as Socket | null)?.unref()
  }
}

/** Processor time a process has had; NaN where the system does not say, which makes the clock decide alone. */
function processorMs(pid: number | undefined): number {
  try {
    const [, fields = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    const [user, system] = fields.split(' ').slice(11, 13).map(Number)
    // In hundredths of a second on every Linux.
    return ((user ?? NaN) + (system ?? NaN)) * 10
  } catch {
    return NaN
  }
}

/** A child with nothing of this process's environment: it has no business with keys and passwords. */
function spawnChild({ entry, heapMegabytes, dataMegabytes }: PoolOptions): ChildProcess {
  const command = [process.execPath, `--max-old-space-size=${heapMegabytes}`, fileURLToPath(entry)]
  // The limit of Node is for its own heap alone; what a picture library takes, only the system can bound.
  const [program = '', ...args] =
    process.platform === 'win32'
      ? command
      : ['/bin/sh', '-c', `ulimit -d ${dataMegabytes * 1024}; exec "$@"`, 'sh', ...command]
  const child = spawn(program, args, { env: {}, stdio: ['ignore', 'ignore', 'pipe', 'ipc'], serialization: 'advanced' })
  try {
    if (child.pid !== undefined) setPriority(child.pid, priority)
  } catch {
    // It is gone already, which its end tells.
  }
  return child
}
