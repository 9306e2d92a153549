import type { DemoLogin } from '@flashsheet/contracts/auth/schema'
import { demoAccounts, demoPassword } from '@flashsheet/db/seed/demo-accounts'
import type { RequestCtx, System } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { countAllUsers, listKnownEmails } from '../queries.ts'

/** The demo accounts, offered at /login with the sandbox only. */
export async function listDemoLogins(ctx: RequestCtx): Promise<DemoLogin[]> {
  if (!ctx.config.sandbox) return []
  const emails = demoAccounts.map((entry) => entry.email)
  const existing = new Set(await listKnownEmails(ctx.db, emails))
  return demoAccounts
    .filter((entry) => existing.has(entry.email))
    .map((entry) => ({ name: entry.name, email: entry.email, password: demoPassword, about: entry.about }))
}

/** The number of users; 0 is a new installation. */
export async function countUsers(system: System): Promise<number> {
  return await countAllUsers(system.db, everyoneScope())
}
