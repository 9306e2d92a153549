import { failureOf } from '../../../lib/failure.ts'
import { RetryAlert } from '../../parts/retry-alert.tsx'

export type LoadFailedProps = {
  query: { error: unknown; isFetching: boolean; refetch: () => unknown }
  /** As in "Failed to load the orders". */
  what: string
}

export function LoadFailed({ query, what }: LoadFailedProps) {
  const failure = failureOf(query.error, `Failed to load ${what}`)
  return <RetryAlert live failure={failure} onRetry={() => void query.refetch()} pending={query.isFetching} />
}
