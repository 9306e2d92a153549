import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { failureOf } from '../../lib/failure.ts'
import { Button } from '../../ui/button.tsx'
import { Motif } from './motif.tsx'
import { NoticePage } from './notice-page.tsx'

/** A screen that could not be shown: what happened, what to do, try again. */
export function ScreenFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const failure = failureOf(error, 'Something went wrong')
  return (
    <NoticePage
      art={<Motif name="bolt" />}
      title={failure.message}
      actions={
        <Button
          variant="primary"
          onPress={() => {
            void router.invalidate().then(reset)
          }}
        >
          Try again
        </Button>
      }
    >
      <p>{failure.detail ?? 'This page could not be shown. Nothing you saved is lost.'}</p>
    </NoticePage>
  )
}
