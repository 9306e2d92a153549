import type { AppRouter } from '@flashsheet/api'
import type { TRPCLink } from '@trpc/client'
import { observable, type Unsubscribable } from '@trpc/server/observable'

/**
 * WebKit opens every stream again, also a closed one, when its page returns from the back/forward cache. After a second return
 * no connection would be left over HTTP/1.1.
 */
function closeAgainOnError(source: EventSource): void {
  const close = (event: Event) => {
    event.stopImmediatePropagation()
    source.close()
  }
  source.addEventListener('error', close, { capture: true })
}

/**
 * Keeps event streams open only while the page is visible. Over HTTP/1.1 a browser opens six connections to a host, so the
 * streams of windows in the background would block every request of the visible one. Each stream begins with the current state.
 */
export const visibleLink: TRPCLink<AppRouter> =
  () =>
  ({ next, op }) =>
    observable((observer) => {
      let stream: Unsubscribable | undefined
      let source: unknown
      const streamObserver: typeof observer = {
        ...observer,
        next: (value) => {
          source = value.context?.['eventSource'] ?? source
          observer.next(value)
        },
        // httpSubscriptionLink also completes a stream that is closed here, which must not end the subscription.
        complete: () => {
          if (stream) observer.complete()
        },
      }
      const update = () => {
        if (document.visibilityState === 'visible') stream ??= next(op).subscribe(streamObserver)
        else {
          const closed = stream
          stream = undefined
          closed?.unsubscribe()
          if (source instanceof EventSource) closeAgainOnError(source)
        }
      }
      update()
      document.addEventListener('visibilitychange', update)
      return () => {
        document.removeEventListener('visibilitychange', update)
        stream?.unsubscribe()
      }
    })
