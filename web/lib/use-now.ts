import { useSyncExternalStore } from 'react'

const step = 15_000
const now = () => Math.floor(Date.now() / step) * step

function tick(listener: () => void): () => void {
  const timer = setInterval(listener, step)
  return () => clearInterval(timer)
}

/** The current time in milliseconds, updated every 15 s. Never ahead of the clock. */
export function useNow(): number {
  return useSyncExternalStore(tick, now)
}
