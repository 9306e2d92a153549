import type { System } from '../../../core/context.ts'
import { newId } from '../../../core/ids.ts'
import { everyoneScope } from '../../../core/scope.ts'
import type { PublishJob } from '../../../gateways/networks/adapter.ts'
import { releaseTurn, acquireTurn } from '../queries/login-turns.ts'

/** The limit where quotas are not enforced: more turns than any login starts in a minute. */
const unlimited = 1_000_000

/** `acquireTurn` for one login. No database connection is held during a turn. */
export function loginTurnsOf(system: System, platform: string, providerUserId: string): PublishJob['acquireTurn'] {
  return async (name, perMinute) => {
    const id = `${platform} ${name} ${providerUserId}`
    const token = newId()
    const limit = system.config.enforcesNetworkQuotas ? perMinute : unlimited
    const refusal = await acquireTurn(system.db, everyoneScope(), id, token, limit)
    if (refusal) return refusal
    return {
      async end() {
        try {
          await releaseTurn(system.db, everyoneScope(), id, token)
        } catch (error) {
          // The turn expires by itself a little later.
          system.log.warn({ err: error, turn: `${platform} ${name}` }, 'a turn could not be ended')
        }
      },
    }
  }
}
