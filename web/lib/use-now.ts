import { useSyncExternalStore } from 'react'

const step = 15_000
const now = () => Math.floor(Date.now() / step) * step

function tick(listener: () => void): () => void {
  const timer = setInterval(listener, step)
  return () => clearInterval(timer)
}

/** The time in milliseconds, renewed every quarter of a minute: for what is past or near. Never ahead of the clock. */
export function useNow(): number {
  return useSyncExternalStore(tick, now)
}
