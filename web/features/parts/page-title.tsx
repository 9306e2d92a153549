import { createContext, useContext, type ReactNode } from 'react'

/** True inside the signed-in shell, whose header holds the page's first heading. */
export const TitleInHeader = createContext(false)

/** The heading of a page that can stand in either shell: the first of the page, or the first below the header's title. */
export function PageTitle({ className, children }: { className?: string | undefined; children: ReactNode }) {
  const Heading = useContext(TitleInHeader) ? 'h2' : 'h1'
  return <Heading className={className}>{children}</Heading>
}
