import { failureOf } from '../../../lib/failure.ts'
import { RetryAlert } from '../../parts/retry-alert.tsx'

export function LoadFailed({
  error,
  what,
  retry,
  pending,
}: {
  error: unknown
  what: string
  retry: () => void
  pending: boolean
}) {
  const failure = failureOf(error, `Failed to load ${what}`)
  return <RetryAlert live failure={failure} onRetry={retry} pending={pending} />
}
