import type { ReactNode } from 'react'
import { Motif, type MotifName } from './motif.tsx'
import { NoticePage } from './notice-page.tsx'

/** A place that is planned and not built: says so, and names what can be done meanwhile. */
export function NotHereYet({ motif = 'moth', what, children, actions }: { motif?: MotifName; what: string; children: ReactNode; actions?: ReactNode }) {
  return (
    <NoticePage art={<Motif name={motif} />} title={`${what} not here yet`} actions={actions}>
      {children}
    </NoticePage>
  )
}
