import { useCallback, useRef } from 'react'

/** Ignores calls while `act` runs: the second press of a double click can come before a mutation's `isPending` is rendered. */
export function useSingleFlight<A extends unknown[]>(act: (...input: A) => Promise<unknown>): (...input: A) => void {
  const isRunning = useRef(false)
  return useCallback(
    (...input: A) => {
      if (isRunning.current) return
      isRunning.current = true
      const finish = () => {
        isRunning.current = false
      }
      // The mutation's own onError shows the error.
      void act(...input).then(finish, finish)
    },
    [act],
  )
}
