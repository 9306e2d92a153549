import type { System } from '../../../core/context.ts'
import { newId } from '../../../core/ids.ts'
import { everyoneScope } from '../../../core/scope.ts'
import type { PublishJob } from '../../../gateways/networks/adapter.ts'
import { endTurn, takeTurn } from '../queries/login-turns.ts'

/** Far more than any login starts in a minute: turns are one at a time, not rate limited. */
const unpaced = 1_000_000

/** The turns of one login at its network, for `PublishJob`. No connection is held while the turn is. */
export function turnsOf(system: System, platform: string, providerUserId: string): PublishJob['takeTurn'] {
  return async (name, perMinute) => {
    const id = `${platform} ${name} ${providerUserId}`
    const token = newId()
    const most = system.config.networkQuotas ? perMinute : unpaced
    const none = await takeTurn(system.db, everyoneScope(), id, token, most)
    if (none) return none
    return {
      async end() {
        try {
          await endTurn(system.db, everyoneScope(), id, token)
        } catch (error) {
          // The turn expires by itself a little later.
          system.log.warn({ err: error, turn: `${platform} ${name}` }, 'a turn could not be ended')
        }
      },
    }
  }
}
