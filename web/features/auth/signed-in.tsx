import type { ReactNode } from 'react'
import { useSessionEnd } from './use-session-end.ts'

/** Around every screen for which somebody is signed in. */
export function SignedIn({ children }: { children: ReactNode }) {
  useSessionEnd()
  return children
}
