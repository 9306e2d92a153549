import { useSyncExternalStore } from 'react'

const stepMs = 15_000
const now = () => Math.floor(Date.now() / stepMs) * stepMs

function tick(listener: () => void): () => void {
  const timer = setInterval(listener, stepMs)
  return () => clearInterval(timer)
}

/** The current time in milliseconds, updated every 15 s. Never ahead of the clock. */
export function useNow(): number {
  return useSyncExternalStore(tick, now)
}
