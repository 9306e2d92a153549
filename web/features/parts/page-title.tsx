import { createContext, useContext, type ReactNode } from 'react'

/** True inside the signed-in shell, whose header has the page's h1. */
export const TitleInHeader = createContext(false)

/** The heading of a page that both shells show: h2 when signed in, otherwise h1. */
export function PageTitle({ className, children }: { className?: string | undefined; children: ReactNode }) {
  const Heading = useContext(TitleInHeader) ? 'h2' : 'h1'
  return <Heading className={className}>{children}</Heading>
}
