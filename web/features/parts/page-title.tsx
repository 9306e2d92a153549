import { createContext, useContext, type ReactNode } from 'react'

/** True inside the signed-in shell, whose header holds the page's first heading. */
export const TitleInHeader = createContext(false)

/** The heading of a page that is shown in both shells: an h2 below the header's h1 when signed in, else an h1. */
export function PageTitle({ className, children }: { className?: string | undefined; children: ReactNode }) {
  const Heading = useContext(TitleInHeader) ? 'h2' : 'h1'
  return <Heading className={className}>{children}</Heading>
}
