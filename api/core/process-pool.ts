import { readFileSync } from 'node:fs'
import { spawn, type ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { unavailable } from './errors.ts'
import { createRoundRobin } from './round-robin.ts'

export type ProcessPool = ReturnType<typeof openProcessPool>

/** The child crashed, or was killed because it was late. The next task gets another child. */
export class ProcessTerminated extends Error {
  readonly because: 'died' | 'late'
  constructor(because: 'died' | 'late', message: string) {
    super(message)
    this.name = 'ProcessTerminated'
    this.because = because
  }
}

export type PoolOptions = {
  /** The module that a child runs; it calls `serveTasks`. */
  entry: URL
  /** The maximum number of children. */
  size: number
  heapMegabytes: number
  /** The memory limit of a child with its native libraries. The operating system enforces it, but not on Windows and barely on macOS. */
  dataMegabytes: number
  /** The maximum number of waiting tasks, of all owners and of one. */
  waiting: number
  waitingPerOwner: number
  /** The maximum time that a task waits for a child. */
  waitMs: number
  /** A child without a task for this long is killed. */
  idleMs: number
  /** A child is replaced after this many tasks, so that leaked memory is freed. */
  tasksPerChild: number
  /** The message of the refusal when too many tasks wait. */
  busyMessage: string
}

type Job = {
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
  job: Job | undefined
  isLate: boolean
  hasEnded: boolean
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

/** Runs tasks in child processes, which may crash or be killed without harm to this one (docs/decisions/0033-files-are-opened-by-processes-of-their-own.md). */
export function openProcessPool(options: PoolOptions) {
  const waiting = createRoundRobin<Job>(options)
  const children = new Set<Child>()
  let failedStarts = 0
  let isStopped = false

  const busyOwners = () => new Set([...children].flatMap(({ job }) => job?.owner ?? []))

  const rejectAll = (error: unknown) => {
    for (const job of waiting.takeAll()) {
      clearTimeout(job.timer)
      job.reject(error)
    }
  }

  /** Gives waiting tasks of owners who have none under way to free children, and starts another child if one is needed. */
  const advance = () => {
    for (const child of children) {
      if (!child.isReady || child.job) continue
      const next = waiting.take(busyOwners())
      if (!next) return
      assign(child, next)
    }
    const starting = [...children].filter(({ isReady }) => !isReady).length
    const busy = busyOwners()
    const owners = waiting.owners().filter((owner) => !busy.has(owner)).length
    if (!isStopped && owners > starting && children.size < options.size) start()
  }

  const assign = (child: Child, job: Job) => {
    child.job = job
    child.tasks += 1
    clearTimeout(job.timer)
    clearTimeout(child.idle)
    keepAlive(child.process, true)
    const [startedAt, usedBefore] = [performance.now(), processorMs(child.process.pid)]
    const checkDeadline = () => {
      // On a busy machine a harmless file may wait long for processor time.
      const used = processorMs(child.process.pid) - usedBefore
      if (used < job.deadlineMs / 2 && performance.now() - startedAt < job.deadlineMs * maxDeadlineFactor) {
        child.deadline = setTimeout(checkDeadline, job.deadlineMs / 2)
        return
      }
      child.isLate = true
      child.process.kill('SIGKILL')
    }
    child.deadline = setTimeout(checkDeadline, job.deadlineMs)
    child.process.send(job.task, (error) => {
      if (error) child.process.kill('SIGKILL')
    })
  }

  /** A child sends one message when it is ready, and then one for each task. */
  const handleMessage = (child: Child, answer: unknown) => {
    if (!child.isReady) {
      child.isReady = true
      failedStarts = 0
    } else {
      const { job } = child
      clearTimeout(child.deadline)
      child.job = undefined
      job?.resolve(answer)
      if (child.tasks >= options.tasksPerChild) retire(child)
    }
    waitForTask(child)
    advance()
  }

  const retire = (child: Child) => {
    children.delete(child)
    child.process.kill('SIGKILL')
  }

  const waitForTask = (child: Child) => {
    keepAlive(child.process, false)
    clearTimeout(child.idle)
    child.idle = setTimeout(() => {
      if (!child.job) retire(child)
    }, options.idleMs)
    child.idle.unref()
  }

  /** A child may report both an error and its exit; only the first counts. */
  const handleEnd = (child: Child, how: string) => {
    if (child.hasEnded) return
    child.hasEnded = true
    const { job, isReady, isLate } = child
    children.delete(child)
    clearTimeout(child.deadline)
    clearTimeout(child.idle)
    child.job = undefined
    job?.reject(
      isStopped
        ? unavailable(errorMessages.shuttingDown)
        : new ProcessTerminated(
            isLate ? 'late' : 'died',
            isLate ? 'it took too long' : `the process ended with ${how}`,
          ),
    )
    if (!isReady && !isStopped) {
      failedStarts += 1
      // No file can have ended a process before its first task.
      if (failedStarts >= maxFailedStarts) {
        failedStarts = 0
        rejectAll(new Error(`the file process cannot be started, it ended with ${how}`))
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
      hasEnded: false,
      deadline: undefined,
      idle: undefined,
    }
    children.add(child)
    // Reported only when a process does not start: the output of a crash is long and may contain data.
    let stderr = ''
    child.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = `${stderr}${text}`.slice(0, maxStderrCharacters)
    })
    const end = (how: string) => handleEnd(child, child.isReady ? how : `${how}: ${stderr}`)
    child.process.once('error', (error) => {
      child.process.kill('SIGKILL')
      end(error.message)
    })
    child.process.once('exit', (code, signal) => end(signal ?? `code ${code}`))
    child.process.on('message', (answer) => handleMessage(child, answer))
    // This process stays alive while a child has a task or is starting.
    keepAlive(child.process, true)
  }

  return {
    /**
     * Returns the child's answer to `task`. Throws ProcessTerminated when the child crashed or took longer than `deadlineMs`
     * (up to six times that on a busy machine); `unavailable` when too many tasks wait, this one waited for `waitMs`, or the
     * pool is stopped; and an Error when no child can be started.
     */
    run: async (owner: string, task: object, deadlineMs: number): Promise<unknown> =>
      await new Promise((resolve, reject) => {
        if (isStopped) return reject(unavailable(errorMessages.shuttingDown))
        const refuse = () => reject(unavailable(options.busyMessage, retryAfterSeconds))
        const giveUp = () => {
          waiting.remove(owner, job)
          refuse()
        }
        const job: Job = { owner, task, deadlineMs, resolve, reject, timer: setTimeout(giveUp, options.waitMs) }
        if (waiting.add(owner, job)) return advance()
        clearTimeout(job.timer)
        refuse()
      }),
    /** Kills every child. Unfinished tasks throw `unavailable`. */
    async stop(): Promise<void> {
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
}

/** Whether a child keeps this process alive. */
function keepAlive(child: ChildProcess, isNeeded: boolean): void {
  if (isNeeded) {
    child.ref()
    child.channel?.ref()
  } else {
    child.unref()
    child.channel?.unref()
    // It is a socket, although its type does not say so.
    ;(child.stderr as Socket | null)?.unref()
  }
}

/** The processor time that a process has used, in milliseconds; NaN where it is not known. */
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

/** Starts a child with an empty environment, which keeps keys and passwords from it. */
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
