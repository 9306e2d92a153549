import type { ReactNode } from 'react'
import { useSessionEnd } from './use-session-end.ts'

/** Wraps the screens that need a session. */
export function SignedIn({ children }: { children: ReactNode }) {
  useSessionEnd()
  return children
}
