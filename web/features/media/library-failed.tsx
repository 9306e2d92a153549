import type { Failure } from '../../lib/failure.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'

export function LibraryFailed({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  return (
    <Alert
      tone="danger"
      title={failure.message}
      action={
        <Button size="small" onPress={onRetry}>
          Try again
        </Button>
      }
    >
      {failure.detail}
    </Alert>
  )
}
