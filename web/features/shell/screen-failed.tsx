import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Failure } from '../../lib/failure.ts'
import { buttonClass } from '../../ui/button-look.ts'
import { Motif } from './motif.tsx'
import { NoticePage } from './notice-page.tsx'

/** A screen that could not be shown: what happened, what to do, try again. Stands ready from the first page on, so it brings little. */
export function ScreenFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const [failure, setFailure] = useState<Pick<Failure, 'message' | 'detail'>>({ message: 'Something went wrong' })
  useEffect(() => {
    import('../../lib/failure.ts').then(
      ({ failureOf }) => setFailure(failureOf(error, 'Something went wrong')),
      // Not even that can be loaded: the plain words stand.
      () => {},
    )
  }, [error])
  return (
    <NoticePage
      art={<Motif name="bolt" />}
      title={failure.message}
      actions={
        <button type="button" className={buttonClass({ variant: 'primary' })} onClick={() => void router.invalidate().then(reset)}>
          Try again
        </button>
      }
    >
      <p>{failure.detail ?? 'This page could not be shown. Nothing you saved is lost.'}</p>
    </NoticePage>
  )
}
