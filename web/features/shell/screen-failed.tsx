import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Failure } from '../../lib/failure.ts'
import { isChunkLoadError } from '../../lib/chunk-load-error.ts'
import { buttonClass } from '../../ui/button-look.ts'
import { Motif } from '../parts/motif.tsx'
import { NoticePage } from '../parts/notice-page.tsx'

const askAgainMs = 3000

/** A screen that could not be shown: what happened, what to do, try again. Stands ready from the first page on, so it brings little. */
export function ScreenFailed(props: ErrorComponentProps) {
  return isChunkLoadError(props.error) ? <ChunkMissing /> : <Failed {...props} />
}

/** The screen's own scripts could not be fetched without a connection. Browsers remember that, so only a new page gets them. */
function ChunkMissing() {
  const [tried, setTried] = useState(false)
  useEffect(() => {
    const again = () => location.reload()
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [])
  return (
    <NoticePage
      art={<Motif name="bolt" />}
      title="You are offline"
      actions={
        <button
          type="button"
          className={buttonClass({ variant: 'primary' })}
          onClick={() => (navigator.onLine ? location.reload() : setTried(true))}
        >
          Try again
        </button>
      }
    >
      <p aria-live="polite">
        {tried ? 'Still no connection. ' : ''}This page opens as soon as you are back online. Nothing you saved is lost.
      </p>
    </NoticePage>
  )
}

function Failed({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const [failure, setFailure] = useState<Pick<Failure, 'message' | 'detail' | 'code'>>({
    message: 'Something went wrong',
    code: 'unknown',
  })
  useEffect(() => {
    import('../../lib/failure.ts').then(
      ({ failureOf }) => setFailure(failureOf(error, 'Something went wrong')),
      // Not even that can be loaded: the plain words stand.
      () => {},
    )
  }, [error])
  useEffect(() => {
    // What is away for a moment comes back by itself, and so does the screen.
    if (failure.code !== 'unavailable') return
    const again = setTimeout(() => void router.invalidate().then(reset), askAgainMs)
    return () => clearTimeout(again)
  }, [failure, router, reset])
  return (
    <NoticePage
      art={<Motif name="bolt" />}
      title={failure.message}
      actions={
        <button
          type="button"
          className={buttonClass({ variant: 'primary' })}
          onClick={() => void router.invalidate().then(reset)}
        >
          Try again
        </button>
      }
    >
      <p>{failure.detail ?? 'This page could not be shown. Nothing you saved is lost.'}</p>
    </NoticePage>
  )
}
