import { useEffect, useState, useSyncExternalStore, type ComponentType, type ReactNode } from 'react'

export type LazyComponent<P> = ((props: P) => ReactNode) & {
  /** Begins to load it, so that nobody waits when it is wanted. May be called at any time, and again after a failure. */
  preload: () => void
}

/**
 * A component whose code comes after the screen it stands on. Until it is here `waiting` stands in its place, with its measures, so
 * that nothing moves; `retry` is given when the code could not be fetched.
 */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: (props: P, retry: (() => void) | null) => ReactNode,
): LazyComponent<P> {
  let Part: ComponentType<P> | undefined
  let standing: 'none' | 'loading' | 'failed' | 'here' = 'none'
  const listeners = new Set<() => void>()
  const become = (next: typeof standing) => {
    standing = next
    for (const listener of listeners) listener()
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const preload = () => {
    if (standing === 'loading' || standing === 'here') return
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
      () => standing,
      () => standing,
    )
    useEffect(preload, [])
    return Part ? <Part {...props} /> : waiting(props, now === 'failed' ? preload : null)
  }
  return Object.assign(LazyPart, { preload })
}

/** Acts once the browser has nothing more urgent to do. Answers what calls it off. */
export function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(act, 1000)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(act, { timeout: 3000 })
  return () => cancelIdleCallback(handle)
}

/** Begins to load these parts as soon as the browser is idle. `parts` stays the same list. */
export function usePreload(parts: readonly { preload: () => void }[]): void {
  useEffect(
    () =>
      whenIdle(() => {
        for (const part of parts) part.preload()
      }),
    [parts],
  )
}

/** Whether this was ever true: what was opened once stays, so that it can close in its own way. */
export function useEver(now: boolean): boolean {
  const [ever, setEver] = useState(now)
  if (now && !ever) setEver(true)
  return ever || now
}
