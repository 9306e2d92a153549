import { setTimeout as sleep } from 'node:timers/promises'
import type { DbClient } from './client.ts'
import { withTimeout } from './with-timeout.ts'

/** The copy outside the database: empty objects whose names contain the counter. */
export type OutsideCopy = {
  list: (folder: string) => Promise<string[]>
  /** Creates the object `key` and removes the object `inPlaceOf`. */
  putEmpty: (key: string, inPlaceOf?: string) => Promise<void>
  remove: (key: string) => Promise<void>
}

const folder = 'publish-progress'
/** Between two steps there is a pause as long as the last step took (a folder is faster than a bucket), at most this. */
const maxPauseMs = 200
const deadlineMs = 10_000
/** How soon a stopped process notices that publishing was resumed. */
const resumeCheckMs = 1000

/** The database is behind its copy: targets that look due may have been published. */
export class PublishingStoppedError extends Error {
  constructor() {
    super(
      'Publishing has stopped: this database is older than what was published from it, as after a restore. See docs/operating.md, "Restoring a backup"; `pnpm restored` lets it go on.',
    )
    this.name = 'PublishingStoppedError'
  }
}

type Counted = { lineage: string; counter: number }
type Row = Counted & { stopped: boolean }
/** A parsed object name of the copy. */
type Copy = Counted & { key: string }

const keyOf = (lineage: string, counter: number) => `${folder}/${lineage}_${String(counter).padStart(16, '0')}`

/** The parsed copies; other files in the folder are ignored. */
function parsed(keys: readonly string[]): Copy[] {
  return keys.flatMap((key) => {
    const [, lineage, counter] = /\/([0-9a-f-]{36})_(\d+)$/.exec(key) ?? []
    return lineage === undefined ? [] : [{ key, lineage, counter: Number(counter) }]
  })
}

/** Writes a counter and removes the copies it replaces, but not a higher one that another process wrote. */
async function writeCounter(copy: OutsideCopy, { lineage, counter }: Counted, copies: readonly Copy[]): Promise<void> {
  const [old, ...others] = copies.filter((one) => one.lineage !== lineage || one.counter < counter)
  await copy.putEmpty(keyOf(lineage, counter), old?.key)
  for (const other of others) await copy.remove(other.key)
}

/** Compares the database with its copies, and stops publishing in every process when it is behind. */
async function compareWithCopies({ sql }: DbClient, copies: readonly Copy[]): Promise<Row> {
  const [row] = await sql<{ lineage: string; counter: string; stopped: boolean; any_targets: boolean }[]>`
    select lineage, counter, stopped_at is not null as stopped, exists (select 1 from post_targets) as any_targets from publish_progress`
  if (!row) throw new Error('publish_progress has lost its row')
  const counter = Number(row.counter)
  const own = copies.filter(({ lineage }) => lineage === row.lineage)
  const isBehind = own.some((one) => one.counter > counter)
  // A backup older than the counter: the migration gave it a new lineage.
  const isOther = own.length === 0 && copies.length > 0 && row.any_targets
  const stops = !row.stopped && (isBehind || isOther)
  if (stops) await sql`update publish_progress set stopped_at = clock_timestamp() where stopped_at is null`
  return { lineage: row.lineage, counter, stopped: row.stopped || stops }
}

/** Increments the counter unless the database is behind its copies: one statement for each irreversible call. */
async function countUnlessBehind({ sql }: DbClient, copies: readonly Copy[]): Promise<Counted | undefined> {
  const highest: Record<string, number> = {}
  for (const { lineage, counter } of copies) highest[lineage] = Math.max(counter, highest[lineage] ?? 0)
  const [row] = await sql<{ lineage: string; counter: string }[]>`
    update publish_progress set counter = counter + 1, counted_at = clock_timestamp()
    where counter >= (${JSON.stringify(highest)}::text::jsonb ->> lineage::text)::bigint and stopped_at is null
    returning lineage, counter`
  return row && { lineage: row.lineage, counter: Number(row.counter) }
}

export type PublishProgress = ReturnType<typeof openPublishProgress>

/** `onStopped` is called once when publishing is found stopped. */
export function openPublishProgress(
  client: DbClient,
  copy: OutsideCopy,
  onStopped: (error: PublishingStoppedError) => void,
) {
  let isStopped = false
  const noteState = (stopped: boolean): boolean => {
    if (stopped && !isStopped) onStopped(new PublishingStoppedError())
    isStopped = stopped
    return stopped
  }

  const count = async (): Promise<void> => {
    const copies = parsed(await copy.list(folder))
    const counted = (await countUnlessBehind(client, copies)) ?? (await compareAndCount(copies))
    await writeCounter(copy, counted, copies)
  }
  /** For a database that is not in the copy yet, or may be behind it. */
  const compareAndCount = async (copies: readonly Copy[]): Promise<Counted> => {
    const row = await compareWithCopies(client, copies)
    if (noteState(row.stopped)) throw new PublishingStoppedError()
    // The database may have been replaced since the comparison, so the update requires the values that were compared.
    const [counted] = await client.sql<{ counter: string }[]>`
      update publish_progress set counter = counter + 1, counted_at = clock_timestamp()
      where lineage = ${row.lineage} and counter >= ${row.counter} and stopped_at is null
      returning counter`
    if (!counted) throw new PublishingStoppedError()
    return { lineage: row.lineage, counter: Number(counted.counter) }
  }

  const readStopped = async (): Promise<boolean> => {
    const [row] = await client.sql<
      { stopped: boolean }[]
    >`select stopped_at is not null as stopped from publish_progress`
    return noteState(row?.stopped ?? false)
  }
  let stateReadAt = -Infinity
  let lastRead = Promise.resolve(false)
  /** One throttled query for all callers. */
  const readStoppedThrottled = async (): Promise<boolean> => {
    if (performance.now() - stateReadAt > resumeCheckMs) {
      stateReadAt = performance.now()
      lastRead = readStopped()
    }
    return await lastRead
  }

  let pauseEndsAt = -Infinity
  let current: Promise<void> | undefined
  let next: Promise<void> | undefined
  /** The step after the running one, since only that one covers what the caller has just committed. */
  const afterCurrent = async (): Promise<void> => {
    await current?.catch(() => {})
    await sleep(Math.max(0, pauseEndsAt - performance.now()))
    const startedAt = performance.now()
    next = undefined
    current = count()
    try {
      await current
    } finally {
      const endedAt = performance.now()
      pauseEndsAt = endedAt + Math.min(maxPauseMs, endedAt - startedAt)
    }
  }

  return {
    /**
     * Increments the counter in the database and then in the copy. After it, the copy is ahead of every earlier backup.
     * Concurrent callers share one step. Throws PublishingStoppedError when the database is behind, or the step's error.
     */
    async advance(): Promise<void> {
      next ??= afterCurrent()
      if ((await withTimeout(next, deadlineMs, 'late')) === 'late')
        throw new Error('the publish progress could not be written in time')
    },
    /** Compares the database with its copy; returns whether publishing is stopped. */
    async compare(): Promise<boolean> {
      return noteState((await compareWithCopies(client, parsed(await copy.list(folder)))).stopped)
    },
    /** Reads the stored state, without comparing. */
    isStopped: readStopped,
    /** Called before every claim; makes no query as long as publishing is not stopped. */
    async mayClaim(): Promise<boolean> {
      return !isStopped || !(await readStoppedThrottled())
    },
  }
}

/** Resumes publishing after a restore: the database adopts the counter of the copy. */
export async function resumePublishing({ sql }: DbClient, copy: OutsideCopy): Promise<void> {
  const copies = parsed(await copy.list(folder))
  const highest = Math.max(0, ...copies.map(({ counter }) => counter))
  const [row] = await sql<{ lineage: string; counter: string }[]>`
    update publish_progress set counter = greatest(counter, ${highest}::bigint) + 1, counted_at = clock_timestamp() returning lineage, counter`
  if (!row) throw new Error('publish_progress has lost its row')
  await writeCounter(copy, { lineage: row.lineage, counter: Number(row.counter) }, copies)
  await sql`update publish_progress set stopped_at = null`
}
