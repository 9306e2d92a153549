import { createLogger } from '../core/log.ts'
import type { System } from '../core/context.ts'
import { ownerScope } from '../core/scope.ts'
import { notifyArtist } from '../features/notices/service.ts'
import { startSystem } from '../wiring.ts'
import type { Artist } from './actors.ts'
import type { TestApp } from './app.ts'
import { cloneDatabase } from './database.ts'

/**
 * The product once more, in this process and without a worker, to call a service as another slice does: on the app's own
 * database, or on one of its own that hears of the same Stripe only what a test tells it.
 */
export async function openSystem(
  app: TestApp,
  database: 'own' | 'shared' = 'shared',
): Promise<{ system: System; close: () => Promise<void> }> {
  const clone = database === 'own' ? await cloneDatabase() : undefined
  const options = {
    databaseUrl: clone?.url ?? app.running.databaseUrl,
    log: createLogger('silent'),
    works: false,
    now: app.clock.now,
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

/** A notice as a service leaves it, with what follows from it. */
export async function sendNotice(
  system: System,
  artist: Pick<Artist, 'id'>,
  notice: Parameters<typeof notifyArtist>[3],
): Promise<void> {
  await system.db.transaction(async (tx) => await notifyArtist(system, tx, ownerScope(artist.id), notice))
}
