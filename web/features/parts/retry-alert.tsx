import type { ReactNode } from 'react'
import type { Failure } from '../../lib/failure.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'

/** Replaces content that could not be loaded: the reason, and a button to retry. */
export function RetryAlert({
  failure,
  onRetry,
  pending = false,
  live = false,
}: {
  failure: Pick<Failure, 'message' | 'detail'>
  onRetry: () => void
  pending?: boolean
  live?: boolean
}) {
  return (
    <Alert
      tone="danger"
      live={live}
      title={failure.message}
      action={
        <Button size="small" onPress={onRetry} pending={pending}>
          Try again
        </Button>
      }
    >
      {failure.detail}
    </Alert>
  )
}

/** Shown when the stream of live updates has ended. */
export function ConnectionLost({ onRetry, children }: { onRetry: () => void; children?: ReactNode }) {
  return (
    <Alert
      tone="warning"
      live
      title="The connection was lost, so what you see may be old."
      action={
        <Button size="small" onPress={onRetry}>
          Try again
        </Button>
      }
    >
      {children}
    </Alert>
  )
}
