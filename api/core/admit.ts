import type { KeyScope } from '@flashsheet/contracts/keys/limits'
import { keyMessages } from '@flashsheet/contracts/keys/messages'
import { grantsScope } from '@flashsheet/contracts/keys/rules'
import { keyRefusal } from './api-keys.ts'
import type { RequestCtx } from './context.ts'
import { forbidden, tooMany, type AppError } from './errors.ts'
import { ratePolicies, rateText, type Rate } from './key-rates.ts'

/** The scope that an API key needs for a call, or `any` (every key may call) or `never` (no key may). */
export type KeyAccess = KeyScope | 'any' | 'never'

/** The access a path or procedure needs. `creates`: the stricter rate for creating applies. */
export type Admission = { key: KeyAccess; creates?: boolean }

/** Checks API keys only; sessions and anonymous callers pass. Throws 401 for an invalid key, 429 above its rate, 403 `scope` without the scope. */
export async function admit(ctx: RequestCtx, { key: access, creates = false }: Admission): Promise<void> {
  if (ctx.isKeyRefused) throw keyRefusal()
  const { caller } = ctx
  if (caller?.kind !== 'key') return
  const rates = [await ctx.keyRates.count(caller.id, 'key')]
  if (creates && rates[0]?.isWithin) rates.push(await ctx.keyRates.count(caller.id, 'create'))
  ctx.setHeader('RateLimit-Policy', ratePolicies)
  ctx.setHeader('RateLimit', rates.map(rateText).join(', '))
  const exceeded = rates.find(({ isWithin }) => !isWithin)
  if (exceeded) throw rateExceeded(exceeded)
  if (access === 'never') throw forbidden('scope', keyMessages.notForKeys, { scope: null })
  if (access !== 'any' && !grantsScope(caller.scopes, access))
    throw forbidden('scope', keyMessages.missingScope(access), { scope: access })
}

function rateExceeded({ resetSeconds, policy }: Rate): AppError {
  return tooMany(resetSeconds, keyMessages.tooMany, {
    type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
    'violated-policies': [policy],
  })
}
