import type { KeyScope } from '@flashsheet/contracts/keys/limits'
import { keyMessages } from '@flashsheet/contracts/keys/messages'
import { opensScope } from '@flashsheet/contracts/keys/rules'
import { keyRefused } from './api-keys.ts'
import type { RequestCtx } from './context.ts'
import { forbidden, tooMany, type AppError } from './errors.ts'
import { ratePolicies, rateText, type Rate } from './key-rates.ts'

/**
 * What an API key needs to be let in: a scope, `any` for what every key may do, or `never`. Each row of the REST table and each
 * procedure names it.
 */
export type KeyAccess = KeyScope | 'any' | 'never'

/** What a path or procedure wants of keys. `creates`: it makes something, of which a key may ask less often. */
export type Admission = { key: KeyAccess; creates?: boolean }

/** Lets a session or a stranger pass. Throws 401 for a bad key, 429 for a key that asks too often, 403 `scope` where the key may not. */
export async function admit(ctx: RequestCtx, { key: access, creates = false }: Admission): Promise<void> {
  if (ctx.isKeyRefused) throw keyRefused()
  const { caller } = ctx
  if (caller?.kind !== 'key') return
  const rates = [await ctx.keyRates.count(caller.id, 'key')]
  if (creates && rates[0]?.isWithin) rates.push(await ctx.keyRates.count(caller.id, 'create'))
  ctx.setHeader('RateLimit-Policy', ratePolicies)
  ctx.setHeader('RateLimit', rates.map(rateText).join(', '))
  const usedUp = rates.find(({ isWithin }) => !isWithin)
  if (usedUp) throw keyIsUsedUp(usedUp)
  if (access === 'never') throw forbidden('scope', keyMessages.notForKeys, { scope: null })
  if (access !== 'any' && !opensScope(caller.scopes, access))
    throw forbidden('scope', keyMessages.missingScope(access), { scope: access })
}

function keyIsUsedUp({ resetSeconds, policy }: Rate): AppError {
  return tooMany(resetSeconds, keyMessages.tooMany, {
    type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
    'violated-policies': [policy],
  })
}
