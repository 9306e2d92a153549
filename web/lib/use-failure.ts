import { useCallback, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Failure } from './failure.ts'
import { showFailureToast } from './toast-failure.ts'
import { useIsMounted } from './use-is-mounted.ts'

/**
 * The failure of a call, which the component shows in its place. If the component is gone when the call fails, such as
 * after the browser's Back, a toast shows the failure.
 */
export function useFailure(first: Failure | null = null) {
  const [failure, setFailure] = useState(first)
  const isMounted = useIsMounted()
  const show = useCallback(
    (next: Failure) => {
      if (isMounted()) {
        // Screen readers announce an alert when it appears, so the same message is removed first.
        flushSync(() => setFailure(null))
        setFailure(next)
      } else showFailureToast({ ...next, detail: next.detail ?? fieldTexts(next) })
    },
    [isMounted],
  )
  const clear = useCallback(() => setFailure(null), [])
  return { failure, show, clear }
}

/** The messages of fields that are no longer shown. */
function fieldTexts({ message, fields }: Failure): string | undefined {
  const texts = new Set(Object.values(fields ?? {}))
  texts.delete(message)
  return texts.size === 0 ? undefined : [...texts].join(' ')
}
