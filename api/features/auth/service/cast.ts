import type { CastMember } from '@flashsheet/contracts/auth/schema'
import { cast, castPassword } from '@flashsheet/db/seed/cast'
import type { RequestCtx, System } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { countAllUsers, listKnownEmails } from '../queries.ts'

/** The demonstration's accounts, offered at /login with the sandbox only. */
export async function listCast(ctx: RequestCtx): Promise<CastMember[]> {
  if (!ctx.config.sandbox) return []
  const here = new Set(
    await listKnownEmails(
      ctx.db,
      cast.map((entry) => entry.email),
    ),
  )
  return cast
    .filter((entry) => here.has(entry.email))
    .map((entry) => ({ name: entry.name, email: entry.email, password: castPassword, about: entry.about }))
}

/** The number of users; 0 is a new installation. */
export async function countUsers(system: System): Promise<number> {
  return await countAllUsers(system.db, everyoneScope())
}
