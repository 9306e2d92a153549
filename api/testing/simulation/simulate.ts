import { connect } from '@flashsheet/db/client'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { readConfig } from '../../core/config.ts'
import { createLogger } from '../../core/log.ts'
import { startSystem } from '../../wiring.ts'
import { patientTimeouts } from '../app.ts'
import { appKeys } from '../bare-adapters.ts'
import { cloneDatabase } from '../database.ts'
import { kinds, Lane, type Kind, type Outcome, type SlowRun } from './lane.ts'
import { makeVirtualClock } from './virtual-time.ts'

const startAt = Date.parse('2027-01-01T00:00:00Z')

/** Publishes `count` posts of all kinds in turn, with the seeds from `seed` on. */
export async function simulate(count: number, seed: number): Promise<Outcome[]> {
  return await inLanes(count, 'off', async (lane, nth) => {
    const kind = kinds[(seed + nth) % kinds.length] ?? 'tiktok'
    return await lane.publish(seed + nth, kind)
  })
}

/** Publishes one artist's posts of each of these kinds without faults, at a slow network. */
export async function simulateSlowNetwork(kindsOfPosts: readonly Kind[], slowRun: SlowRun): Promise<Outcome[]> {
  return await inLanes(
    kindsOfPosts.length,
    'on',
    async (lane, nth) => await lane.publish(nth, kindsOfPosts[nth] ?? 'tiktok', slowRun),
  )
}

async function inLanes(
  count: number,
  quotas: 'on' | 'off',
  play: (lane: Lane, nth: number) => Promise<Outcome>,
): Promise<Outcome[]> {
  const lanes = Math.min(6, count)
  const database = await cloneDatabase()
  const dataDir = mkdtempSync(path.join(tmpdir(), 'flashsheet-simulation-'))
  const config = readConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    NETWORK_QUOTAS: quotas,
    ...appKeys,
  })
  const { system, stop } = await startSystem(config, {
    databaseUrl: database.url,
    log: createLogger('silent'),
    isWorker: false,
    requestTimeouts: patientTimeouts,
  })
  const admin = connect(database.url, lanes + 2)
  try {
    await makeVirtualClock(admin.sql)
    const outcomes: Outcome[] = []
    let next = 0
    const runLane = async (number: number): Promise<void> => {
      const lane = new Lane(system, admin, number, startAt)
      while (next < count) {
        const nth = next
        next += 1
        outcomes.push(await play(lane, nth))
      }
      await lane.stop()
    }
    await Promise.all(Array.from({ length: lanes }, async (_, number) => await runLane(number)))
    return outcomes
  } finally {
    await admin.close()
    await stop(0)
    await database.drop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Each broken promise, with its seed and trace. */
export function violations(outcomes: readonly Outcome[]): string[] {
  return outcomes.flatMap(({ seed, kind, violation, trace }) =>
    violation === '' ? [] : [`seed ${seed}, ${kind}: ${violation}\n  ${trace.slice(0, 60).join('\n  ')}`],
  )
}

/** The number of runs by kind and end. */
export function countByEnd(outcomes: readonly Outcome[]): Record<string, number> {
  const groups = Map.groupBy(outcomes, ({ kind, end }) => `${kind} ${end}`)
  return Object.fromEntries([...groups.keys()].toSorted().map((name) => [name, groups.get(name)?.length ?? 0]))
}
