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

/** The product in processes of its own on a Postgres that can be stopped. */
export type OutageStage = {
  postgres: OwnPostgres
  url: string
  sandboxUrl: string
  domainName: string
  artist: Visitor
  web: ProductProcess
  worker: ProductProcess
  /** The settings of both processes. */
  env: Record<string, string>
  /** Shuts both down. */
  endProduct: () => Promise<void>
  /** Starts both anew. */
  startProduct: () => Promise<void>
  stop: () => Promise<void>
}

export async function startOutageStage(
  env: { web?: Record<string, string>; worker?: Record<string, string> } = {},
): Promise<OutageStage> {
  const postgres = await startOwnPostgres()
  const dataDir = mkdtempSync(path.join(tmpdir(), 'flashsheet-outage-'))
  const [port, sandboxPort] = await freePorts(2)
  const url = `http://localhost:${port}`
  const sandboxUrl = `http://localhost:${sandboxPort}`
  const all = {
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
  const begin = async (more: Record<string, string>) => {
    const one = await startProcess({ ...all, ...more })
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
    await begin({ ROLE: 'sandbox' })
    const web = await begin({ ROLE: 'web', ...env.web })
    const worker = await begin({ ROLE: 'worker', ...env.worker })
    const artist = createVisitor(url)
    await signUp(artist, { sandboxUrl }, 'outage@studio.example')
    for (const network of ['linkedin', 'facebook', 'instagram'])
      await followRedirects(artist, { sandboxUrl }, `/api/social-connect/${network}`)
    const domainName = 'outage-studio'
    const saved = await artist.post('/api/websitebuilder', { personalInfo: { name: 'Ines Farrow', domainName } })
    if (saved.status !== 200) throw new Error(`the site was not saved: ${JSON.stringify(saved.body)}`)
    const stage: OutageStage = {
      postgres,
      url,
      sandboxUrl,
      domainName,
      artist,
      web,
      worker,
      env: all,
      endProduct: async () => void (await Promise.all([stage.web.end('SIGTERM'), stage.worker.end('SIGTERM')])),
      startProduct: async () => {
        stage.web = await begin({ ROLE: 'web', ...env.web })
        stage.worker = await begin({ ROLE: 'worker', ...env.worker })
      },
      stop,
    }
    return stage
  } catch (error) {
    await stop()
    throw error
  }
}

/** The answers that clients got while the database came and went, and what was accepted. */
export type Load = {
  /** Texts of posts, ids of uploads and request ids of bookings that were accepted. */
  accepted: { posts: string[]; uploads: string[]; bookings: { id: string; requestId: string }[] }
  /** Descriptions of invalid answers. */
  wrong: string[]
  /**
   * Resolves once every operation was accepted, notified and published again, with how often each was refused before.
   */
  accepting: () => Promise<Map<Operation, number>>
  /** Resolves once each operation was refused so many times from now on; some public pages may come from the cache. */
  refusing: (options?: { pages?: boolean; times?: number }) => Promise<void>
  /** Waits for running operations. */
  stop: () => Promise<void>
}

/** `events`: a change is received live. `network`: a post is published. */
const operations = ['post', 'upload', 'booking', 'page', 'trpc', 'events', 'network'] as const
type Operation = (typeof operations)[number]
/** The operations that refuse while the database is away; open streams just stay silent. */
const refusingOperations: readonly Operation[] = ['post', 'upload', 'booking', 'page', 'trpc']

/** Without an answer in this time the request counts as lost. */
const answerWithinMs = 30_000
/** How soon a refused client retries. */
const retryDelayMs = 150
/** Retries in five seconds: more refusals after the database is back mean a longer outage. */
export const atMostRefusals = 5000 / retryDelayMs

/** Publishes, uploads, books, reads and watches in a loop, as clients do: a refused client repeats the same request. */
export async function startLoad(stage: OutageStage): Promise<Load> {
  const { artist, domainName, sandboxUrl } = stage
  const accounts = (await artist.get<Account[]>('/api/social-accounts')).body
  const pages = variantsFor(accounts, { title: '', message: '' })
  const bytes = await picture(400, 500, 1)
  const first = await sendForm(artist, [{ name: 'flash.jpg', type: 'image/jpeg', bytes }])
  const [media] = first.body as { _id: string }[]
  const accepted: Load['accepted'] = { posts: [], uploads: [], bookings: [] }
  const answers: { operation: Operation; isAccepted: boolean }[] = []
  const wrong: string[] = []
  const over = new AbortController()

  const note = (operation: Operation, isAccepted: boolean) => void answers.push({ operation, isAccepted })
  /** Records an answer and checks that it is valid. Undefined: it was refused. */
  async function acceptedBy(operation: Operation, ask: () => Promise<Response>): Promise<Response | undefined> {
    let response: Response
    try {
      response = await ask()
    } catch (error) {
      if (!over.signal.aborted)
        wrong.push(
          `${operation}: no answer: ${error instanceof Error ? `${error.message} ${String(error.cause)}` : String(error)}`,
        )
      return undefined
    }
    note(operation, response.ok)
    if (response.ok) return response
    const text = await response.text()
    const says = operation === 'page' ? text.includes('<h1>') : /"message":"[A-Z][^"]+\."/.test(text)
    if (response.status !== 503 || !response.headers.has('retry-after') || !says)
      wrong.push(`${operation}: ${response.status} ${text.slice(0, 300)}`)
    return undefined
  }
  const signal = () => AbortSignal.timeout(answerWithinMs)
  const send = async (url: string, body: unknown) =>
    await artist.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: signal(),
    })
  const until = async (operation: Operation, ask: () => Promise<Response>): Promise<Response | undefined> => {
    while (!over.signal.aborted) {
      const answer = await acceptedBy(operation, ask)
      if (answer) return answer
      await sleep(retryDelayMs)
    }
    return undefined
  }
  const lane = async (step: (turn: number) => Promise<void>): Promise<void> => {
    for (let turn = 0; !over.signal.aborted; turn++) {
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
      if (await until('post', async () => await send('/api/posts', body))) accepted.posts.push(words)
    }),
    lane(async (turn) => {
      const form = () => {
        const made = new FormData()
        made.append('files', new Blob([Uint8Array.from(bytes)], { type: 'image/jpeg' }), `flash-${turn}.jpg`)
        return made
      }
      const answer = await until(
        'upload',
        async () => await artist.fetch('/api/media/upload', { method: 'POST', body: form(), signal: signal() }),
      )
      const [item] = answer ? ((await answer.json()) as { _id: string }[]) : []
      if (!item) return
      accepted.uploads.push(item._id)
      // The library takes a hundred items: older ones than the newest twenty are deleted.
      if (accepted.uploads.length > 20) {
        const old = accepted.uploads.shift()
        await until('upload', async () => {
          const left = await artist.fetch(`/api/media/${old}`, { method: 'DELETE', signal: signal() })
          // A first attempt may have succeeded with its answer lost.
          return left.status === 404 ? new Response(null, { status: 204 }) : left
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
      const answer = await until('booking', async () => await send('/api/appointments', body))
      if (answer) accepted.bookings.push({ id: ((await answer.json()) as Appointment)._id, requestId })
    }),
    lane(
      async () =>
        void (await acceptedBy(
          'page',
          async () => await fetch(new URL(`/s/${domainName}`, stage.url), { signal: signal() }),
        )),
    ),
    lane(
      async () =>
        void (await acceptedBy(
          'trpc',
          async () => await artist.fetch('/trpc/notices.list?input=%7B%7D', { signal: signal() }),
        )),
    ),
    lane(async () => {
      const stream = await openEvents(artist, 'appointments.watch')
      const close = () => stream.close()
      over.signal.addEventListener('abort', close)
      try {
        // The first event only says that the stream has begun.
        for (await stream.next(); ; note('events', true)) await stream.next()
      } catch {
        // A stream that ends is reopened, as in a browser.
        note('events', false)
      } finally {
        over.signal.removeEventListener('abort', close)
      }
    }),
    lane(async () => {
      const { length } = await control<SandboxPost[]>({ sandboxUrl }, 'GET', '/posts')
      note('network', length > arrived)
      arrived = length
    }),
  ]
  const running = Promise.all(lanes)
  const ended = () =>
    [stage.web, stage.worker].filter(({ child }) => child.exitCode !== null || child.signalCode !== null)
  /**
   * Waits until each of these operations was answered this way so many times from now on. Throws when a process has
   * ended.
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
    // Each takes several times as long on a busy machine.
    const deadlineMs = 90_000 + times * 1000
    await eventually(
      'each operation to be answered so',
      async () => await Promise.resolve(missing().length === 0 || ended().length > 0),
      deadlineMs,
    ).catch((error: unknown) => {
      throw new Error(`waited in vain for ${missing().join(', ')}; ${wrong.slice(-3).join('; ')}`, { cause: error })
    })
    for (const { child, output } of ended())
      throw new Error(`a process ended with ${child.exitCode ?? child.signalCode}:\n${output().slice(-8000)}`)
  }
  return {
    accepted,
    wrong,
    async accepting() {
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
    refusing: async ({ pages: withPages = true, times = 1 } = {}) =>
      await answered(
        answers.length,
        withPages ? refusingOperations : refusingOperations.filter((operation) => operation !== 'page'),
        false,
        times,
      ),
    async stop() {
      over.abort()
      await running
    },
  }
}

/** What was accepted and is missing or duplicated. */
export async function lostOrDuplicated(stage: OutageStage, load: Load): Promise<string[]> {
  const problems: string[] = []
  const { artist, sandboxUrl } = stage
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
    if (!library.some((item) => item._id === id)) problems.push('an upload is gone')
  const client = connect(stage.postgres.url, 1)
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
      const there = rows.filter((row) => row.requestId === requestId || row.id === id).length
      if (there !== 1) problems.push(`a booking is there ${there} times`)
    }
  } finally {
    await client.close()
  }
  return problems
}
