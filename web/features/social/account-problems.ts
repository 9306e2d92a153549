import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { formatShortDay } from '../../lib/format.ts'

type Health = Pick<SocialAccount, 'health' | 'reconnectBy'>

/** What the artist must do about an account; null if nothing. */
export function accountProblem({ health, reconnectBy }: Health): string | null {
  if (health === 'reconnect') return 'Reconnect needed'
  return reconnectBy ? `Reconnect by ${formatShortDay(reconnectBy)}` : null
}

/** Sorts accounts that must be reconnected first, then those with a deadline, the earliest first. The others keep their order. */
export function problemsFirst<A extends Health>(accounts: readonly A[]): A[] {
  const rank = ({ health, reconnectBy }: Health) => (health === 'reconnect' ? '' : (reconnectBy ?? '~'))
  return accounts.toSorted((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0))
}
