import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Failure } from '../../lib/failure.ts'
import { isChunkLoadError } from '../../lib/chunk-load-error.ts'
import { tryStorage } from '../../lib/try-storage.ts'
import { buttonClass } from '../../ui/button-class.ts'
import { NoticePage } from '../parts/notice-page.tsx'

const retryMs = 3000

/** The error boundary of all routes. It is part of the first bundle, so it imports little. */
export function ScreenFailed(props: ErrorComponentProps) {
  return isChunkLoadError(props.error) ? <ChunkMissing error={props.error} /> : <Failed {...props} />
}

/**
 * The screen's chunk could not be loaded. Browsers cache the failure of an import, so only a page reload can fetch it. The page is reloaded
 * once the server answers, because a reload without an answer would end in an error page of the browser or of a proxy.
 */
function ChunkMissing({ error }: { error: Error }) {
  const [tried, setTried] = useState(false)
  useEffect(() => {
    // This screen replaces the notice.
    document.querySelector('#page-notice')?.replaceChildren()
    let timer: ReturnType<typeof setTimeout> | undefined
    let isShown = true
    const ask = async (wasDown: boolean) => {
      const isBack = await globalThis.__earlySubmit?.isBack()
      if (!isShown) return
      if (isBack && (wasDown || mayReload(error.message))) location.reload()
      else if (!isBack) timer = setTimeout(() => void ask(true), retryMs)
    }
    void ask(false)
    return () => {
      isShown = false
      clearTimeout(timer)
    }
  }, [error])
  const retry = async () => ((await globalThis.__earlySubmit?.isBack()) ? location.reload() : setTried(true))
  return (
    <NoticePage
      motif="bolt"
      title={navigator.onLine ? 'This page could not be loaded' : 'You are offline'}
      actions={<TryAgain onPress={() => void retry()} />}
    >
      <p aria-live="polite">
        {tried ? 'Still no connection. ' : ''}It opens as soon as the connection is back. Nothing you saved is lost.
      </p>
    </NoticePage>
  )
}

/** True once for each chunk, since one that the server does not have would reload the page forever. False without storage, which remembers the chunks. */
const mayReload = (chunk: string): boolean =>
  tryStorage(() => {
    const isFirst = sessionStorage.getItem(chunk) === null
    sessionStorage.setItem(chunk, 'reloaded')
    return isFirst
  }) ?? false

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
