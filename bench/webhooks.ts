import { webhookEndpoints, webhookDeliveries, webhookSecrets } from '@flashsheet/db/schema/webhooks'
import { count, eq, isNull, sql } from 'drizzle-orm'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../api/core/config.ts'
import { seal } from '../api/core/crypto.ts'
import { newId } from '../api/core/ids.ts'
import { createLogger } from '../api/core/log.ts'
import { ownerScope } from '../api/core/scope.ts'
import { emitEvent } from '../api/features/webhooks/service/emit.ts'
import { secretContext } from '../api/features/webhooks/service/secrets.ts'
import type { Artist } from '../api/testing/actors.ts'
import { startSystem } from '../api/wiring.ts'
import { openBench, postgresSeconds, processorSeconds, quantile, type Bench } from './with-product.ts'

const artistCount = 100
const endpointsPerArtist = 10
/** How many of each artist's endpoints accept every call and never answer. */
const hangingPerArtist = 1
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 4)
/** The time between two events of one artist. */
const roundMs = 30_000

/**
 * 1,000 endpoints of 100 artists, of which 100 never answer. Each artist has an event every half minute, which is sent to
 * all of their endpoints. The delay of a call is the time from the event to its arrival. Prints the delays at the endpoints
 * that answer, first while all are new and then while they are known, and the CPU time.
 */
export async function run(): Promise<void> {
  const bench = await openBench({ RATE_LIMITS: 'off' })
  const listener = await listen()
  try {
    const worker = await bench.start('worker')
    const artists: Artist[] = []
    for (let n = 0; n < artistCount; n += 1) artists.push(await bench.artist())
    const config = readConfig({ DATABASE_URL: bench.client.url, DATA_DIR: bench.folder, ROLE: 'web' })
    const { system, stop } = await startSystem(config, {
      databaseUrl: bench.client.url,
      log: createLogger('silent'),
      isWorker: false,
      now: () => new Date(),
    })
    await addEndpoints(bench, system.config, artists, listener.url)
    const cpuSecondsBefore = [processorSeconds(worker.child), await postgresSeconds(bench)]
    for (let round = 0; round < rounds; round += 1) {
      listener.startRound()
      const startedAt = performance.now()
      for (const [at, artist] of artists.entries()) {
        // Events of a hundred artists are spread over the round.
        const dueMs = (at * roundMs) / artistCount
        await sleep(Math.max(0, dueMs - (performance.now() - startedAt)))
        await system.db.transaction(
          async (tx) => await emitEvent(system, tx, ownerScope(artist.id), 'ping', () => ({ message: 'bench' })),
        )
      }
      await sleep(Math.max(0, roundMs - (performance.now() - startedAt)))
    }
    await drained(bench)
    const [first = [], ...later] = listener.delays()
    const cpuSeconds = [
      processorSeconds(worker.child) - (cpuSecondsBefore[0] ?? 0),
      (await postgresSeconds(bench)) - (cpuSecondsBefore[1] ?? 0),
    ]
    const calls = listener.delays().flat().length
    console.log(`${calls} calls answered, ${listener.hanging()} left hanging, one worker`)
    report('new endpoints', first)
    report('known endpoints', later.flat())
    const [own = 0, postgres = 0] = cpuSeconds.map((seconds) => (seconds * 1000) / calls)
    console.log(`processor time of an answered call: worker ${own.toFixed(1)} ms, Postgres ${postgres.toFixed(1)} ms`)
    await stop(0)
  } finally {
    listener.close()
    await bench.finish()
  }
}

function report(what: string, delays: readonly number[]): void {
  const at = (part: number) => `${Math.round(quantile(delays, part))} ms`
  console.log(`${what}: p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, at most ${at(1)} (${delays.length} calls)`)
}

/** The artists' server, which does not answer below /hang. Delays are in milliseconds, by the round of their event. */
async function listen() {
  const starts: number[] = []
  const seen: { eventAt: number; delay: number }[] = []
  const open = new Set<ServerResponse>()
  let hanging = 0
  const server = createServer((request, response) => {
    const arrived = Date.now()
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      if (request.url?.startsWith('/hang')) {
        hanging += 1
        open.add(response)
        return
      }
      const { timestamp } = JSON.parse(Buffer.concat(pieces).toString()) as { timestamp: string }
      const eventAt = Date.parse(timestamp)
      seen.push({ eventAt, delay: arrived - eventAt })
      response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    startRound: () => void starts.push(Date.now()),
    delays: () =>
      starts.map((from, at) => {
        const until = starts[at + 1] ?? Infinity
        return seen.filter(({ eventAt }) => eventAt >= from && eventAt < until).map(({ delay }) => delay)
      }),
    hanging: () => hanging,
    close() {
      for (const response of open) response.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}

async function addEndpoints(
  { client: { db } }: Bench,
  keys: Parameters<typeof seal>[0],
  artists: readonly Artist[],
  url: string,
): Promise<void> {
  const createdAt = new Date()
  const endpoints = artists.flatMap(({ id: userId }) =>
    Array.from({ length: endpointsPerArtist }, (_one, at) => ({
      id: newId(),
      userId,
      url: `${url}/${at < hangingPerArtist ? 'hang' : 'take'}`,
      description: '',
      events: ['ping'],
      requestId: newId(),
      requestHash: '',
      createdAt,
    })),
  )
  await db.insert(webhookEndpoints).values(endpoints)
  const secrets = endpoints.map(({ id: endpointId }) => {
    const id = newId()
    const secret = `whsec_${randomBytes(32).toString('base64')}`
    return { id, endpointId, secret: seal(keys, secretContext(id), secret), createdAt }
  })
  await db.insert(webhookSecrets).values(secrets)
}

/** Waits until every call to an endpoint that answers has been made, at most a minute. */
async function drained({ client: { db } }: Bench): Promise<void> {
  const until = Date.now() + 60_000
  while (Date.now() < until) {
    const [row] = await db
      .select({ waiting: count() })
      .from(webhookDeliveries)
      .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
      .where(
        sql`${webhookDeliveries.state} = 'pending' and ${webhookEndpoints.url} like '%/take' and ${isNull(webhookEndpoints.disabledAt)}`,
      )
    if (row?.waiting === 0) return
    await sleep(200)
  }
  throw new Error('calls to endpoints that answer are still waiting')
}
