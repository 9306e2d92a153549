import { useEffect, useState, useSyncExternalStore, type ComponentType, type ReactNode } from 'react'

export type LazyComponent<P> = ((props: P) => ReactNode) & {
  /** Starts loading ahead of use. Idempotent, also after a failure. */
  preload: () => void
}

/**
 * A component that is loaded after its screen. Meanwhile `waiting` is rendered with the same size, so that nothing
 * shifts; it gets `retry` when loading failed.
 */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: (props: P, retry: (() => void) | null) => ReactNode,
): LazyComponent<P> {
  let Part: ComponentType<P> | undefined
  let state: 'none' | 'loading' | 'failed' | 'here' = 'none'
  const listeners = new Set<() => void>()
  const become = (next: typeof state) => {
    state = next
    for (const listener of listeners) listener()
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const preload = () => {
    if (state === 'loading' || state === 'here') return
    become('loading')
    load().then(
      (loaded) => {
        Part = loaded
        become('here')
      },
      () => become('failed'),
    )
  }
  function LazyPart(props: P) {
    const now = useSyncExternalStore(
      subscribe,
      () => state,
      () => state,
    )
    useEffect(preload, [])
    return Part ? <Part {...props} /> : waiting(props, now === 'failed' ? preload : null)
  }
  return Object.assign(LazyPart, { preload })
}

/** Runs `act` when the browser is idle. Returns what cancels it. */
function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(act, 1000)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(act, { timeout: 3000 })
  return () => cancelIdleCallback(handle)
}

/** Preloads these components when the browser is idle. `parts` must be a stable list. */
export function usePreload(parts: readonly { preload: () => void }[]): void {
  useEffect(
    () =>
      whenIdle(() => {
        for (const part of parts) part.preload()
      }),
    [parts],
  )
}

/** Whether this was ever true: a dialog stays mounted after its first opening, so that it can animate its closing. */
export function useEver(now: boolean): boolean {
  const [ever, setEver] = useState(now)
  if (now && !ever) setEver(true)
  return ever || now
}
