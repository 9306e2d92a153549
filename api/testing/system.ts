import { createLogger } from '../core/log.ts'
import type { System } from '../core/context.ts'
import { startSystem } from '../wiring.ts'
import type { TestApp } from './app.ts'

/** A second process's hold on the same database, to call a service as another slice does. It works no queue. */
export async function openSystem(app: TestApp): Promise<{ system: System; close: () => Promise<void> }> {
  const { system, stop } = await startSystem(app.running.config, {
    databaseUrl: app.running.databaseUrl,
    log: createLogger('error'),
    works: false,
    now: app.clock.now,
  })
  return { system, close: async () => await stop(0) }
}
