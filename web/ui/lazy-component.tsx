import { useEffect, useState, useSyncExternalStore, type ComponentType, type ReactNode } from 'react'
import { createListeners } from './listeners.ts'

export type LazyComponent<P> = ((props: P) => ReactNode) & {
  /** Starts loading ahead of use. Idempotent, also after a failure. */
  preload: () => void
}

/**
 * A component that is loaded after its screen. Until then `waiting` is rendered with the same size, so that nothing
 * shifts; it gets `retry` when loading has failed.
 */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: (props: P, retry: (() => void) | null) => ReactNode,
): LazyComponent<P> {
  let Loaded: ComponentType<P> | undefined
  let state: 'idle' | 'loading' | 'failed' | 'loaded' = 'idle'
  const { subscribe, notify } = createListeners()
  const setState = (next: typeof state) => {
    state = next
    notify()
  }
  const preload = () => {
    if (state === 'loading' || state === 'loaded') return
    setState('loading')
    load().then(
      (loaded) => {
        Loaded = loaded
        setState('loaded')
      },
      () => setState('failed'),
    )
  }
  function Lazy(props: P) {
    const current = useSyncExternalStore(
      subscribe,
      () => state,
      () => state,
    )
    useEffect(preload, [])
    return Loaded ? <Loaded {...props} /> : waiting(props, current === 'failed' ? preload : null)
  }
  return Object.assign(Lazy, { preload })
}

/** Runs `act` when the browser is idle. Returns a function that cancels it. */
function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(act, 1000)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(act, { timeout: 3000 })
  return () => cancelIdleCallback(handle)
}

/** Preloads these components when the browser is idle. `components` must be a stable list. */
export function usePreload(components: readonly { preload: () => void }[]): void {
  useEffect(
    () =>
      whenIdle(() => {
        for (const component of components) component.preload()
      }),
    [components],
  )
}

/** Whether this was ever true. A dialog stays mounted after its first opening, so that it can animate its closing. */
export function useHasBeenTrue(now: boolean): boolean {
  const [ever, setEver] = useState(now)
  if (now && !ever) setEver(true)
  return ever || now
}
