import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Failure } from '../../lib/failure.ts'
import { isChunkLoadError } from '../../lib/chunk-load-error.ts'
import { buttonClass } from '../../ui/button-class.ts'
import { NoticePage } from '../parts/notice-page.tsx'

const retryMs = 3000

/** The error boundary of all routes. It is part of the first bundle, so it imports little. */
export function ScreenFailed(props: ErrorComponentProps) {
  return isChunkLoadError(props.error) ? <ChunkMissing /> : <Failed {...props} />
}

/** The screen's chunk could not be loaded offline. Browsers cache the failure of an import, so only a page reload can fetch it. */
function ChunkMissing() {
  const [tried, setTried] = useState(false)
  useEffect(() => {
    const reload = () => location.reload()
    window.addEventListener('online', reload)
    return () => window.removeEventListener('online', reload)
  }, [])
  return (
    <NoticePage
      motif="bolt"
      title="You are offline"
      actions={<TryAgain onPress={() => (navigator.onLine ? location.reload() : setTried(true))} />}
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
      // When this chunk cannot be loaded either, the generic message stays.
      () => {},
    )
  }, [error])
  useEffect(() => {
    // During a temporary outage, retry automatically.
    if (failure.code !== 'unavailable') return
    const retry = setTimeout(() => void router.invalidate().then(reset), retryMs)
    return () => clearTimeout(retry)
  }, [failure, router, reset])
  return (
    <NoticePage
      motif="bolt"
      title={failure.message}
      actions={<TryAgain onPress={() => void router.invalidate().then(reset)} />}
    >
      <p>{failure.detail ?? 'This page could not be shown. Nothing you saved is lost.'}</p>
    </NoticePage>
  )
}

function TryAgain({ onPress }: { onPress: () => void }) {
  return (
    <button type="button" className={buttonClass({ variant: 'primary' })} onClick={onPress}>
      Try again
    </button>
  )
}
