import type { Appointment } from '@flashsheet/contracts/appointments/schema'
import { timeSlots } from '@flashsheet/contracts/appointments/limits'
import { connect } from '@flashsheet/db/client'
import { picture } from '@flashsheet/sandbox/fixtures/videos'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createVisitor, type Visitor } from './actors.ts'
import { openEvents } from './events.ts'
import { signUp, variantsFor, followRedirects, type Account } from './journey.ts'
import { startOwnPostgres, type OwnPostgres } from './own-postgres.ts'
import { freePorts } from './ports.ts'
import { startProcess, type ProductProcess } from './processes.ts'
import { control, eventually, type SandboxPost } from './sandbox.ts'
import { sendForm } from './uploads.ts'

/** The product in separate processes, on a Postgres that can be stopped. */
export type OutageFixture = {
  postgres: OwnPostgres
  url: string
  sandboxUrl: string
  domainName: string
  artist: Visitor
  web: ProductProcess
  worker: ProductProcess
  /** The settings of both processes. */
  env: Record<string, string>
  /** Shuts both processes down. */
  endProduct: () => Promise<void>
  /** Starts both processes again. */
  startProduct: () => Promise<void>
  stop: () => Promise<void>
}

export async function startOutageFixture(
  env: { web?: Record<string, string>; worker?: Record<string, string> } = {},
): Promise<OutageFixture> {
  const postgres = await startOwnPostgres()
  const dataDir = mkdtempSync(path.join(tmpdir(), 'flashsheet-outage-'))
  const [port, sandboxPort] = await freePorts(2)
  const url = `http://localhost:${port}`
  const sandboxUrl = `http://localhost:${sandboxPort}`
  const baseEnv = {
    DATABASE_URL: postgres.url,
    DATA_DIR: dataDir,
    PORT: String(port),
    PUBLIC_URL: url,
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_PROCESSING_MS: '50',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
  }
  const processes: ProductProcess[] = []
  const startOne = async (extra: Record<string, string>) => {
    const one = await startProcess({ ...baseEnv, ...extra })
    processes.push(one)
    return one
  }
  const stop = async () => {
    await Promise.all(
      processes.map(async (one) =>
        one.child.exitCode === null && one.child.signalCode === null ? await one.end('SIGKILL') : null,
      ),
    )
    await postgres.remove()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    await startOne({ ROLE: 'sandbox' })
    const web = await startOne({ ROLE: 'web', ...env.web })
    const worker = await startOne({ ROLE: 'worker', ...env.worker })
    const artist = createVisitor(url)
    await signUp(artist, { sandboxUrl }, 'outage@studio.example')
    for (const network of ['linkedin', 'facebook', 'instagram'])
      await followRedirects(artist, { sandboxUrl }, `/api/social-connect/${network}`)
    const domainName = 'outage-studio'
    const saved = await artist.post('/api/websitebuilder', { personalInfo: { name: 'Ines Farrow', domainName } })
    if (saved.status !== 200) throw new Error(`the site was not saved: ${JSON.stringify(saved.body)}`)
    const fixture: OutageFixture = {
      postgres,
      url,
      sandboxUrl,
      domainName,
      artist,
      web,
      worker,
      env: baseEnv,
      endProduct: async () => void (await Promise.all([fixture.web.end('SIGTERM'), fixture.worker.end('SIGTERM')])),
      startProduct: async () => {
        fixture.web = await startOne({ ROLE: 'web', ...env.web })
        fixture.worker = await startOne({ ROLE: 'worker', ...env.worker })
      },
      stop,
    }
    return fixture
  } catch (error) {
    await stop()
    throw error
  }
}

/** The answers that clients get while the database stops and starts, and what was accepted. */
export type Load = {
  /** Texts of posts, ids of uploads and request ids of bookings that were accepted. */
  accepted: { posts: string[]; uploads: string[]; bookings: { id: string; requestId: string }[] }
  /** Descriptions of invalid answers. */
  wrong: string[]
  /**
   * Resolves once every operation has been accepted from now on. Returns how many times each was refused before.
   */
  untilAccepted: () => Promise<Map<Operation, number>>
  /** Resolves once each operation has been refused `times` times from now on. Public pages may come from the cache. */
  untilRefused: (options?: { pages?: boolean; times?: number }) => Promise<void>
  /** Waits for running operations. */
  stop: () => Promise<void>
}

/** `events`: a change arrives on an event stream. `network`: a post is published. */
const operations = ['post', 'upload', 'booking', 'page', 'trpc', 'events', 'network'] as const
type Operation = (typeof operations)[number]
/** The operations that are refused while the database is unavailable; open streams only stay silent. */
const refusingOperations: readonly Operation[] = ['post', 'upload', 'booking', 'page', 'trpc']

/** A request without an answer in this time counts as lost. */
const answerTimeoutMs = 30_000
/** The pause before a refused client retries. */
const retryDelayMs = 150
/** The retries in five seconds. More refusals after the database is available again mean a longer outage. */
export const maxRefusals = 5000 / retryDelayMs

/** Publishes, uploads, books, reads and watches in loops, as clients do. A refused client repeats the same request. */
export async function startLoad(fixture: OutageFixture): Promise<Load> {
  const { artist, domainName, sandboxUrl } = fixture
  const accounts = (await artist.get<Account[]>('/api/social-accounts')).body
  const pages = variantsFor(accounts, { title: '', message: '' })
  const bytes = await picture(400, 500, 1)
  const first = await sendForm(artist, [{ name: 'flash.jpg', type: 'image/jpeg', bytes }])
  const [media] = first.body as { _id: string }[]
  const accepted: Load['accepted'] = { posts: [], uploads: [], bookings: [] }
  const answers: { operation: Operation; isAccepted: boolean }[] = []
  const wrong: string[] = []
  const stopping = new AbortController()

  const record = (operation: Operation, isAccepted: boolean) => void answers.push({ operation, isAccepted })
  /** Sends a request once, records the answer and checks that it is valid. Undefined: it was refused. */
  async function attempt(operation: Operation, ask: () => Promise<Response>): Promise<Response | undefined> {
    let response: Response
    try {
      response = await ask()
    } catch (error) {
      if (!stopping.signal.aborted)
        wrong.push(
          `${operation}: no answer: ${error instanceof Error ? `${error.message} ${String(error.cause)}` : String(error)}`,
        )
      return undefined
    }
    record(operation, response.ok)
    if (response.ok) return response
    const text = await response.text()
    const hasMessage = operation === 'page' ? text.includes('<h1>') : /"message":"[A-Z][^"]+\."/.test(text)
    if (response.status !== 503 || !response.headers.has('retry-after') || !hasMessage)
      wrong.push(`${operation}: ${response.status} ${text.slice(0, 300)}`)
    return undefined
  }
  const signal = () => AbortSignal.timeout(answerTimeoutMs)
  const send = async (url: string, body: unknown) =>
    await artist.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: signal(),
    })
  const untilAccepted = async (operation: Operation, ask: () => Promise<Response>): Promise<Response | undefined> => {
    while (!stopping.signal.aborted) {
      const answer = await attempt(operation, ask)
      if (answer) return answer
      await sleep(retryDelayMs)
    }
    return undefined
  }
  const lane = async (step: (turn: number) => Promise<void>): Promise<void> => {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      await step(turn)
      await sleep(retryDelayMs)
    }
  }

  let arrived = 0
  const lanes = [
    lane(async (turn) => {
      const words = `Outage ${randomUUID()}`
      const page = pages[turn % pages.length]
      const body = { mediaIds: [media?._id], variants: [{ ...page, message: words }], requestId: randomUUID() }
      if (await untilAccepted('post', async () => await send('/api/posts', body))) accepted.posts.push(words)
    }),
    lane(async (turn) => {
      const form = () => {
        const made = new FormData()
        made.append('files', new Blob([Uint8Array.from(bytes)], { type: 'image/jpeg' }), `flash-${turn}.jpg`)
        return made
      }
      const answer = await untilAccepted(
        'upload',
        async () => await artist.fetch('/api/media/upload', { method: 'POST', body: form(), signal: signal() }),
      )
      const [item] = answer ? ((await answer.json()) as { _id: string }[]) : []
      if (!item) return
      accepted.uploads.push(item._id)
      // The library holds at most a hundred items, so all but the newest twenty are deleted.
      if (accepted.uploads.length > 20) {
        const old = accepted.uploads.shift()
        await untilAccepted('upload', async () => {
          const deleted = await artist.fetch(`/api/media/${old}`, { method: 'DELETE', signal: signal() })
          // An earlier attempt may have succeeded although its answer was lost.
          return deleted.status === 404 ? new Response(null, { status: 204 }) : deleted
        })
      }
    }),
    lane(async (turn) => {
      const day = new Date(Date.now() + (3 + Math.floor(turn / timeSlots.length)) * 86_400_000)
        .toISOString()
        .slice(0, 10)
      const requestId = randomUUID()
      const body = {
        domainName,
        bookingType: '1 Hour Booking',
        timeSlot: timeSlots[turn % timeSlots.length],
        date: day,
        contact: { email: `client-${turn}@home.example` },
        requestId,
      }
      const answer = await untilAccepted('booking', async () => await send('/api/appointments', body))
      if (answer) accepted.bookings.push({ id: ((await answer.json()) as Appointment)._id, requestId })
    }),
    lane(
      async () =>
        void (await attempt(
          'page',
          async () => await fetch(new URL(`/s/${domainName}`, fixture.url), { signal: signal() }),
        )),
    ),
    lane(
      async () =>
        void (await attempt(
          'trpc',
          async () => await artist.fetch('/trpc/notices.list?input=%7B%7D', { signal: signal() }),
        )),
    ),
    lane(async () => {
      const stream = await openEvents(artist, 'appointments.watch')
      const close = () => stream.close()
      stopping.signal.addEventListener('abort', close)
      try {
        // The first event only reports that the stream has begun.
        for (await stream.next(); ; record('events', true)) await stream.next()
      } catch {
        // A stream that ends is reopened, as in a browser.
        record('events', false)
      } finally {
        stopping.signal.removeEventListener('abort', close)
      }
    }),
    lane(async () => {
      const { length } = await control<SandboxPost[]>({ sandboxUrl }, 'GET', '/posts')
      record('network', length > arrived)
      arrived = length
    }),
  ]
  const running = Promise.all(lanes)
  const endedProcesses = () =>
    [fixture.web, fixture.worker].filter(({ child }) => child.exitCode !== null || child.signalCode !== null)
  /**
   * Waits until each of these operations has been accepted, or refused, `times` times since answer number `from`. Throws
   * when a process has ended.
   */
  const answered = async (
    from: number,
    some: readonly Operation[],
    isAccepted: boolean,
    times: number,
  ): Promise<void> => {
    const missing = () =>
      some.filter(
        (operation) =>
          answers.slice(from).filter((one) => one.operation === operation && one.isAccepted === isAccepted).length <
          times,
      )
    // A busy machine takes several times as long.
    const deadlineMs = 90_000 + times * 1000
    await eventually(
      'the answers of each operation',
      async () => await Promise.resolve(missing().length === 0 || endedProcesses().length > 0),
      deadlineMs,
    ).catch((error: unknown) => {
      throw new Error(`timed out waiting for ${missing().join(', ')}; ${wrong.slice(-3).join('; ')}`, { cause: error })
    })
    for (const { child, output } of endedProcesses())
      throw new Error(`a process ended with ${child.exitCode ?? child.signalCode}:\n${output().slice(-8000)}`)
  }
  return {
    accepted,
    wrong,
    async untilAccepted() {
      const from = answers.length
      await answered(from, operations, true, 1)
      const since = answers.slice(from)
      return new Map(
        operations.map((operation) => [
          operation,
          since.filter((one) => one.operation === operation).findIndex((one) => one.isAccepted),
        ]),
      )
    },
    untilRefused: async ({ pages: withPages = true, times = 1 } = {}) =>
      await answered(
        answers.length,
        withPages ? refusingOperations : refusingOperations.filter((operation) => operation !== 'page'),
        false,
        times,
      ),
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** Accepted posts, uploads and bookings that are missing or duplicated. */
export async function lostOrDuplicated(fixture: OutageFixture, load: Load): Promise<string[]> {
  const problems: string[] = []
  const { artist, sandboxUrl } = fixture
  const shown = await eventually(
    'every accepted post to be at its network',
    async () => {
      const posts = await control<SandboxPost[]>({ sandboxUrl }, 'GET', '/posts')
      return load.accepted.posts.every((words) => posts.some((post) => post.text.includes(words))) && posts
    },
    120_000,
  ).catch(async () => await control<SandboxPost[]>({ sandboxUrl }, 'GET', '/posts'))
  const library = (await artist.get<{ _id: string }[]>('/api/media')).body
  for (const id of load.accepted.uploads)
    if (!library.some((item) => item._id === id)) problems.push('an upload is missing')
  const client = connect(fixture.postgres.url, 1)
  try {
    for (const words of load.accepted.posts) {
      const times = shown.filter((post) => post.text.includes(words)).length
      if (times === 1) continue
      const rows = await client.sql`
        select t.platform, t.phase, t.due_at, t.unanswered, t.tries, t.last_publish_at, t.lease_until, t.error_message, now() as now,
          (select jsonb_agg(jsonb_build_object('from', a.from_phase, 'to', a.to_phase, 'at', a.started_at, 'error', a.error_code) order by a.started_at) from publish_attempts a where a.target_id = t.id) as attempts
        from post_targets t where t.message = ${words}`
      problems.push(`a post is at its network ${times} times: ${JSON.stringify(rows)}`)
    }
    const rows = await client.sql<
      { id: string; requestId: string }[]
    >`select id, request_id as "requestId" from appointments`
    for (const { id, requestId } of load.accepted.bookings) {
      const times = rows.filter((row) => row.requestId === requestId || row.id === id).length
      if (times !== 1) problems.push(`a booking exists ${times} times`)
    }
  } finally {
    await client.close()
  }
  return problems
}
