import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { formatShortDay } from '../../lib/format.ts'

type Health = Pick<SocialAccount, 'health' | 'reconnectBy'>

/** Why an account wants its artist; null while it is well. */
export function accountProblem({ health, reconnectBy }: Health): string | null {
  if (health === 'reconnect') return 'Reconnect needed'
  return reconnectBy ? `Reconnect by ${formatShortDay(reconnectBy)}` : null
}

/** Those that want their artist first: what is shut, then what will be, the soonest first; the others as they come. */
export function problemsFirst<A extends Health>(accounts: readonly A[]): A[] {
  const rank = ({ health, reconnectBy }: Health) => (health === 'reconnect' ? '' : (reconnectBy ?? '~'))
  return accounts.toSorted((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0))
}
