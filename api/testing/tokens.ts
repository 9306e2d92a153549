import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { socialAccounts } from '@flashsheet/db/schema/social'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { System } from '../core/context.ts'
import { openToken } from '../features/social/service/token-encryption.ts'
import { startTestApp, type TestApp } from './app.ts'
import { control } from './sandbox.ts'
import { openSystem } from './system.ts'

type Row = typeof socialAccounts.$inferSelect

/** For a file of tests about an account's tokens: the product, and two more systems on its database. Each test starts without faults. */
export function tokensFixture() {
  let app: TestApp
  let systems: Awaited<ReturnType<typeof openSystem>>[] = []
  beforeAll(async () => {
    app = await startTestApp()
    systems = [await openSystem(app), await openSystem(app)]
  })
  afterAll(async () => {
    for (const one of systems) await one.close()
    await app?.stop()
  })
  beforeEach(async () => await control(app, 'DELETE', '/faults'))
  const systemAt = (at: number): System => {
    const one = systems[at]
    if (!one) throw new Error('the systems have not been started')
    return one.system
  }
  return {
    get app(): TestApp {
      return app
    },
    get system(): System {
      return systemAt(0)
    },
    get other(): System {
      return systemAt(1)
    },
    /** An account as it is stored. */
    row: async (account: SocialAccount): Promise<Row> => {
      const [found] = await app.client.db.select().from(socialAccounts).where(eq(socialAccounts.id, account._id))
      if (!found) throw new Error('the account does not exist')
      return found
    },
    /** A token of an account in plain text. */
    unsealed: (row: Row, column: 'accessToken' | 'refreshToken'): string | null => {
      const sealed = row[column]
      return sealed === null
        ? null
        : openToken(app.running.config, row, column === 'accessToken' ? 'access_token' : 'refresh_token', sealed)
    },
    /** How many refreshes the network has received since `since`. */
    refreshes: async (service: string, since: string): Promise<number> => {
      const requests = await control<{ path: string; query: unknown; body: unknown }[]>(
        app,
        'GET',
        `/requests?service=${service}&since=${encodeURIComponent(since)}`,
      )
      return requests.filter(
        (request) =>
          /refresh_token|ig_refresh_token/.test(JSON.stringify([request.query, request.body, request.path])) &&
          /token/.test(request.path),
      ).length
    },
    setAccessExpiry: async (account: SocialAccount, accessExpiresAt: Date): Promise<void> => {
      await app.client.db.update(socialAccounts).set({ accessExpiresAt }).where(eq(socialAccounts.id, account._id))
    },
  }
}
