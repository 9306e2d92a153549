import type { AppRouter } from '@flashsheet/api'
import type { TRPCLink } from '@trpc/client'
import { observable, type Unsubscribable } from '@trpc/server/observable'

/**
 * Keeps event streams open only while the page is visible. Over HTTP/1.1 a browser opens six connections to a host, so the
 * streams of windows in the background would block every request of the visible one. Each stream begins with the current state.
 */
export const visibleLink: TRPCLink<AppRouter> =
  () =>
  ({ next, op }) =>
    observable((observer) => {
      let stream: Unsubscribable | undefined
      // httpSubscriptionLink also completes a stream that is closed here, which must not end the subscription.
      const complete = () => {
        if (stream) observer.complete()
      }
      const update = () => {
        if (document.visibilityState === 'visible') stream ??= next(op).subscribe({ ...observer, complete })
        else {
          const closed = stream
          stream = undefined
          closed?.unsubscribe()
        }
      }
      update()
      document.addEventListener('visibilitychange', update)
      return () => {
        document.removeEventListener('visibilitychange', update)
        stream?.unsubscribe()
      }
    })
