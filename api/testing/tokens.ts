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

/** For a file of tests about an account's tokens: the product, and two more processes on its database. Each test begins without faults. */
export function tokensFixture() {
  let app: TestApp
  let opened: Awaited<ReturnType<typeof openSystem>>[] = []
  beforeAll(async () => {
    app = await startTestApp()
    opened = [await openSystem(app), await openSystem(app)]
  })
  afterAll(async () => {
    for (const one of opened) await one.close()
    await app?.stop()
  })
  beforeEach(async () => await control(app, 'DELETE', '/faults'))
  const systemAt = (at: number): System => {
    const one = opened[at]
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
      if (!found) throw new Error('the account is gone')
      return found
    },
    /** A token of an account in plain text. */
    opened: (of: Row, column: 'accessToken' | 'refreshToken'): string | null => {
      const sealed = of[column]
      return sealed === null
        ? null
        : openToken(app.running.config, of, column === 'accessToken' ? 'access_token' : 'refresh_token', sealed)
    },
    endAccess: async (account: SocialAccount, when: Date): Promise<void> => {
      await app.client.db
        .update(socialAccounts)
        .set({ accessExpiresAt: when })
        .where(eq(socialAccounts.id, account._id))
    },
  }
}
