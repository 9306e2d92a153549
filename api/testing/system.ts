import { createLogger } from '../core/log.ts'
import type { SubscriberCtx, System } from '../core/context.ts'
import { ownerScope } from '../core/scope.ts'
import { notifyArtist } from '../features/notices/service.ts'
import { startSystem } from '../wiring.ts'
import type { Artist } from './actors.ts'
import { patientTimeouts, type TestApp } from './app.ts'
import { cloneDatabase } from './database.ts'

/**
 * A second instance of the product in this process, without a worker, whose services a test calls directly. It uses the
 * app's database, or its own, which gets only the Stripe events that the test passes to it.
 */
export async function openSystem(
  app: TestApp,
  database: 'own' | 'shared' = 'shared',
): Promise<{ system: System; close: () => Promise<void> }> {
  const clone = database === 'own' ? await cloneDatabase() : undefined
  const options = {
    databaseUrl: clone?.url ?? app.running.databaseUrl,
    log: createLogger('silent'),
    isWorker: false,
    now: app.clock.now,
    requestTimeouts: patientTimeouts,
  }
  const { system, stop } = await startSystem(app.running.config, options)
  return {
    system,
    close: async () => {
      await stop(0)
      await clone?.drop()
    },
  }
}

/** Notifies an artist, as a service does, in a transaction of its own. */
export async function sendNotice(
  system: System,
  artist: Pick<Artist, 'id'>,
  notice: Parameters<typeof notifyArtist>[3],
): Promise<void> {
  await system.db.transaction(async (tx) => await notifyArtist(system, tx, ownerScope(artist.id), notice))
}

/** A context to call services as the artist, with a subscription. */
export function subscriberCtx(artist: Artist, system: System): SubscriberCtx {
  const user = {
    id: artist.id,
    name: artist.name,
    email: artist.email,
    isAdmin: false,
    isActive: true,
    isEmailVerified: true,
    subscription: { plan: 'complete-shading', status: 'active' },
  } as SubscriberCtx['user']
  return {
    ...system,
    requestId: 'test',
    ip: '127.0.0.1',
    userAgent: '',
    caller: { kind: 'session', id: 'test', user },
    isKeyRefused: false,
    setHeader: () => {},
    isSameOrigin: true,
    cookie: () => undefined,
    setCookie: () => {},
    user,
    owner: ownerScope(artist.id),
    verified: true,
    subscriber: true,
  }
}
