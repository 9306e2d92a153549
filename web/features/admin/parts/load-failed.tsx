import { failureOf } from '../../../lib/failure.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'

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
  return (
    <Alert
      tone="danger"
      live
      title={failure.message}
      action={
        <Button size="small" onPress={retry} pending={pending}>
          Try again
        </Button>
      }
    >
      {failure.detail}
    </Alert>
  )
}
