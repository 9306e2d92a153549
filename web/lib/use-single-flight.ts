import { useCallback, useRef } from 'react'

/** Ignores calls while the mutation runs: the second press of a double click can come before `isPending` is rendered. */
export function useSingleFlight<V>(mutation: { mutateAsync: (input: V) => Promise<unknown> }): (input: V) => void {
  const isRunning = useRef(false)
  const { mutateAsync } = mutation
  return useCallback(
    (input: V) => {
      if (isRunning.current) return
      isRunning.current = true
      const finish = () => {
        isRunning.current = false
      }
      // The mutation's own onError shows the error.
      void mutateAsync(input).then(finish, finish)
    },
    [mutateAsync],
  )
}
