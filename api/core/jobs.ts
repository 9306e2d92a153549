import type { Tx } from '@flashsheet/db/client'
import { pgOptions, workTimeouts } from '@flashsheet/db/connection'
import { sql } from 'drizzle-orm'
import { fromDrizzle, PgBoss, type Job, type Queue as BossQueue } from 'pg-boss'
import { z } from 'zod'
import { describeError, errorLine } from './describe-error.ts'
import type { Logger } from './log.ts'
import { setBounded } from './set-bounded.ts'
import { withTimeout } from '@flashsheet/db/with-timeout'

type QueueOptions = Omit<BossQueue, 'name'>

/** Thrown by a handler that cannot run yet: the job is retried, and not logged as a failure. */
export class RetryLater extends Error {
  override readonly name = 'RetryLater'
}

/** A queue and the shape of its payload: ids only. */
export type Queue<P extends object> = { name: string; payload: z.ZodType<P>; options: QueueOptions }

export function defineQueue<P extends object>(
  name: string,
  payload: z.ZodType<P>,
  options: QueueOptions = {},
): Queue<P> {
  return { name, payload, options: { notify: true, retryLimit: 10, retryBackoff: true, retryDelay: 5, ...options } }
}

/**
 * For queues that a person waits for: the jobs of a process that was killed are retried within three minutes. Without it that takes
 * 15 minutes, the time after which a job counts as lost.
 */
export const awaitedJobs = { heartbeatSeconds: 60 } satisfies QueueOptions

type SendOptions = {
  /** Earliest start, by the database's clock; absent = at once. */
  startInMs?: number
  /** At most one waiting job of this key in a queue with a singleton policy. */
  singletonKey?: string
  /** Of due jobs the highest priority runs first, of equals the oldest; absent = 0. */
  priority?: number
  /** Whose job this is, for queues with `isSlow`. */
  group?: string
}

type WorkOptions = {
  /** Concurrent handlers in this process. */
  concurrency: number
  /**
   * Completes a job as soon as its handler has started. For work whose state is in a row, and whose sweep finds what a dead
   * process left. The handler has no time limit and does not wait for others of its batch.
   */
  isDetached?: boolean
  /**
   * A job may take minutes, so each is fetched alone: the slots of a batch are free only when all of its jobs have ended.
   * The jobs of one group take at most half of the slots.
   */
  isSlow?: boolean
  /** Seconds between polls for deferred jobs (retries), since NOTIFY announces new ones. Absent = 2, which users do not notice. */
  pollSeconds?: number
}

/**
 * Handles one job. `stopping` aborts when the process begins to end: work in steps stops after its current step. `signal`
 * aborts later, when the handler must stop at once.
 */
type Work<P> = (payload: P, stopping: AbortSignal, signal: AbortSignal) => Promise<void>

/** `connectionTimeoutMillis`: how long a statement of the queue may wait for a connection. */
export type JobPool = { max: number; connectionTimeoutMillis?: number }

type JobsOptions = {
  url: string
  log: Logger
  /** A web process only sends jobs; a worker also handles, schedules and cleans up. */
  isWorker: boolean
  queues: readonly Queue<never>[]
  pool?: JobPool | undefined
}

/** All queues poll every second or two, so while the database is unavailable each would log the same error each time. */
const repeatedLogMs = 60_000
const maxRepeatedErrors = 100

/** Returns whether to log an error: not if an error with this text was logged within the last minute. */
function createRepeatFilter(): (text: string) => boolean {
  const loggedAt = new Map<string, number>()
  return (text) => {
    const now = performance.now()
    if (now - (loggedAt.get(text) ?? -repeatedLogMs) < repeatedLogMs) return false
    setBounded(loggedAt, text, now, maxRepeatedErrors)
    return true
  }
}

/** pg-boss appends the queue and the id of the worker. */
const withoutWorker = (message: string): string => message.split(' (Queue: ', 1)[0] ?? message

/** pg-boss reports failures of its workers as plain objects, which the log's error serializer does not accept. */
function asError(reported: Error): Error {
  return reported instanceof Error ? reported : Object.assign(new Error(), reported as object)
}

/** How long aborted handlers may take to return. */
const abortedHandlersMs = 2000

/** While the connection that listens for NOTIFY is broken, only polling finds new jobs. */
const pollWithoutNotifySeconds = 1

const pollOptions = (pollSeconds: number) => ({
  pollingIntervalSeconds: Math.min(pollSeconds, pollWithoutNotifySeconds),
  notifyPollingIntervalSeconds: pollSeconds,
  burstWhenBatchFull: true,
})

const sendOptionsOf = (
  { heartbeatSeconds }: QueueOptions,
  { startInMs, singletonKey, priority, group }: SendOptions,
) => ({
  // Also for queues that an earlier release created without it.
  ...(heartbeatSeconds ? { heartbeatSeconds } : {}),
  ...(startInMs ? { startAfter: startInMs / 1000 } : {}),
  ...(singletonKey ? { singletonKey } : {}),
  ...(priority ? { priority } : {}),
  ...(group ? { group: { id: group } } : {}),
})

export type Jobs = Awaited<ReturnType<typeof startJobs>>

/** Starts pg-boss on the product's database and creates its queues. Jobs only start work; the state is in our own rows. */
export async function startJobs(options: JobsOptions) {
  const { url, log, isWorker, queues } = options
  const boss = new PgBoss({
    ...pgOptions(url, 'jobs', workTimeouts),
    max: isWorker ? 6 : 2,
    ...options.pool,
    supervise: isWorker,
    schedule: isWorker,
    useListenNotify: isWorker,
  })
  const shouldLog = createRepeatFilter()
  boss.on('error', (reported) => {
    const err = asError(reported)
    if (shouldLog(withoutWorker(err.message))) log.error({ err }, 'the job queue reported an error')
  })
  await boss.start()
  // After the first start all queues exist, so most round trips are saved.
  const existing = new Set((await boss.getQueues()).map(({ name }) => name))
  for (const queue of queues) {
    if (!existing.has(queue.name)) await boss.createQueue(queue.name, queue.options)
  }
  const stopping = new AbortController()
  const aborting = new AbortController()
  const running = new Set<Promise<void>>()
  const fullQueues = new Set<string>()
  const track = (task: Promise<void>): void => {
    running.add(task)
    void task.finally(() => running.delete(task))
  }
  /**
   * Runs the jobs of a batch independently. A failed one is returned to the queue at once; pg-boss completes the others by
   * id, which has an index. If this returned a result for each job, Postgres would scan all jobs.
   */
  const runEach = async <J extends Pick<Job, 'id' | 'retryCount'>>(
    { name }: { name: string },
    jobs: readonly J[],
    work: (job: J) => Promise<void>,
  ): Promise<void> => {
    await Promise.all(
      jobs.map(async (job) => {
        try {
          await work(job)
        } catch (error) {
          // The queue stores errors for weeks, and the error of a failed statement contains its values.
          await boss.fail(name, [job], describeError(error))
        }
      }),
    )
  }
  /** Runs jobs detached from their batch, which is complete once all of its jobs have started. */
  const workDetached = async <P extends object>(
    queue: Queue<P>,
    { concurrency, pollSeconds }: { concurrency: number; pollSeconds: number },
    handler: Work<P>,
  ): Promise<void> => {
    let busy = 0
    let freed = Promise.withResolvers<void>()
    const start = async (jobId: string, data: unknown): Promise<void> => {
      while (busy >= concurrency && !stopping.signal.aborted) await freed.promise
      if (stopping.signal.aborted) throw new Error('the process is stopping')
      busy += 1
      if (busy >= concurrency) fullQueues.add(queue.name)
      track(
        Promise.resolve()
          .then(async () => await handler(queue.payload.parse(data), stopping.signal, aborting.signal))
          .catch((error: unknown) =>
            log.error({ err: error, queue: queue.name, jobId }, 'a job failed; its sweep will find what it left'),
          )
          .finally(() => {
            busy -= 1
            fullQueues.delete(queue.name)
            freed.resolve()
            freed = Promise.withResolvers<void>()
          }),
      )
    }
    stopping.signal.addEventListener('abort', () => freed.resolve(), { once: true })
    await boss.work(
      queue.name,
      {
        // Two fetchers: while the jobs of one batch start, the next batch is fetched, so no free slot waits for a fetch.
        batchSize: Math.min(Math.ceil(concurrency / 2), 10),
        localConcurrency: 2,
        ...pollOptions(pollSeconds),
      },
      async (jobs) => await runEach(queue, jobs, async (job) => await start(job.id, job.data)),
    )
  }
  return {
    /** Sends a job in the caller's transaction: both are committed, or neither. */
    async send<P extends object>(tx: Tx, queue: Queue<P>, payload: P, sendOptions: SendOptions = {}): Promise<void> {
      await boss.send(queue.name, queue.payload.parse(payload), {
        db: fromDrizzle(tx, sql),
        ...sendOptionsOf(queue.options, sendOptions),
      })
    },
    /** Sends many jobs of one queue in one statement. */
    async sendAll<P extends object>(
      tx: Tx,
      queue: Queue<P>,
      jobs: readonly { payload: P; options?: SendOptions }[],
    ): Promise<void> {
      const inserts = jobs.map(({ payload, options: sendOptions = {} }) => ({
        data: queue.payload.parse(payload),
        ...sendOptionsOf(queue.options, sendOptions),
      }))
      await boss.insert(queue.name, inserts, { db: fromDrizzle(tx, sql) })
    },
    /** Handles the jobs of a queue until `stop`. */
    async work<P extends object>(
      queue: Queue<P>,
      { concurrency, isDetached, isSlow, pollSeconds = 2 }: WorkOptions,
      handler: Work<P>,
    ): Promise<void> {
      if (isDetached) return await workDetached(queue, { concurrency, pollSeconds }, handler)
      const batchSize = isSlow ? 1 : Math.max(2, Math.ceil(concurrency / 2))
      await boss.work(
        queue.name,
        {
          batchSize,
          localConcurrency: Math.max(1, Math.floor(concurrency / batchSize)),
          ...(isSlow ? { localGroupConcurrency: Math.ceil(concurrency / 2) } : {}),
          ...pollOptions(pollSeconds),
        },
        async (jobs) =>
          await runEach(queue, jobs, async (job) => {
            try {
              await handler(queue.payload.parse(job.data), stopping.signal, job.signal)
            } catch (error) {
              if (error instanceof RetryLater)
                log.info({ reason: error.message, queue: queue.name, jobId: job.id }, 'a job was postponed')
              else log.error({ err: error, queue: queue.name, jobId: job.id }, 'a job failed and will be tried again')
              throw error
            }
          }),
      )
    },
    /** Whether this process runs the maximum of detached jobs of a queue, so that further ones may be waiting. */
    isFull: (queue: Pick<Queue<never>, 'name'>): boolean => fullQueues.has(queue.name),
    /** Runs `task` in this process every `ms`, never twice at a time, until `stop`. A failure is logged, the same one at most once a minute. */
    every(ms: number, name: string, task: (stopping: AbortSignal) => Promise<void>): void {
      let current: Promise<void> | undefined
      const timer = setInterval(() => {
        if (current) return
        current = task(stopping.signal)
          .catch((error: unknown) => {
            if (shouldLog(`${name}: ${errorLine(error)}`))
              log.error({ err: error, task: name }, 'a repeated task failed and will run again')
          })
          .finally(() => {
            current = undefined
          })
        track(current)
      }, ms)
      stopping.signal.addEventListener('abort', () => clearInterval(timer), { once: true })
    },
    /**
     * Sends an empty job on a cron schedule (UTC); several processes may ask for the same one. If no process ran at that time, as at
     * night on a machine that is switched off, one is sent when the next process starts.
     */
    async schedule(queue: Queue<Record<string, never>>, cron: string): Promise<void> {
      await boss.schedule(queue.name, cron, {}, { tz: 'UTC', missed: 'once' })
    },
    /** Whether the queue's database answers. */
    async ready(): Promise<boolean> {
      return await boss.getQueue(queues[0]?.name ?? 'none').then(
        () => true,
        () => false,
      )
    },
    /** Waits at most `graceMs` for running handlers, then aborts them. */
    async stop(graceMs: number): Promise<void> {
      stopping.abort()
      const drained = async () => {
        // Detached handlers send jobs, so the queue closes after them.
        await Promise.all(queues.map(async (queue) => await boss.offWork(queue.name)))
        while (running.size > 0) await Promise.all(running)
      }
      await withTimeout(drained(), graceMs, undefined)
      aborting.abort()
      await withTimeout(drained(), abortedHandlersMs, undefined)
      await boss.stop({ graceful: true, timeout: 1000, close: true })
    },
  }
}

/** A queue and its handler, as `api/worker.ts` collects them from the slices. */
export type JobHandler<S> = { queue?: Queue<never>; start: (system: S, jobs: Jobs) => Promise<void> }

type HandleOptions<S> = Omit<WorkOptions, 'concurrency'> & {
  concurrency: number | ((system: S) => number)
  cron?: string
}

/** Scheduled jobs may be retried late, since no user waits for them. */
const scheduledPollSeconds = 10

/** Connects a queue with the service call that handles one of its jobs; `cron` (UTC) also sends one on a schedule. */
export function queueHandler<S, P extends object>(
  queue: Queue<P>,
  options: HandleOptions<S>,
  handler: (system: S, payload: P, stopping: AbortSignal, signal: AbortSignal) => Promise<void>,
): JobHandler<S> {
  return {
    queue: queue as unknown as Queue<never>,
    start: async (system, jobs) => {
      const { concurrency } = options
      await jobs.work(
        queue,
        {
          ...options,
          concurrency: typeof concurrency === 'number' ? concurrency : concurrency(system),
          ...(options.cron ? { pollSeconds: scheduledPollSeconds } : {}),
        },
        async (payload, stopping, signal) => await handler(system, payload, stopping, signal),
      )
      if (options.cron) await jobs.schedule(queue as unknown as Queue<Record<string, never>>, options.cron)
    },
  }
}

/** A task that a schedule (UTC) starts in one of the worker processes, by a queue of its own. */
export function scheduledTask<S>(
  name: string,
  cron: string,
  task: (system: S, stopping: AbortSignal) => Promise<unknown>,
  options: QueueOptions = {},
): JobHandler<S> {
  const queue = defineQueue(name, z.object({}), { policy: 'singleton', ...options })
  return queueHandler(
    queue,
    { concurrency: 1, cron },
    async (system: S, _job, stopping) => void (await task(system, stopping)),
  )
}

/** A task that every worker process runs every `ms`; it must be safe to run twice. */
export function repeatedTask<S>(
  ms: number,
  name: string,
  task: (system: S, stopping: AbortSignal) => Promise<unknown>,
): JobHandler<S> {
  return {
    start: async (system, jobs) => jobs.every(ms, name, async (stopping) => void (await task(system, stopping))),
  }
}
