import { createFileRoute } from '@tanstack/react-router'
import { LeavingScreen } from '../../features/auth/leaving-screen.tsx'
import { Live } from '../../features/shell/live.tsx'
import { titled } from '../../features/parts/titled.ts'
import { instant, reading } from '../../lib/search.ts'

export const Route = createFileRoute('/_public/leaving')({
  ...titled('Leaving'),
  validateSearch: reading({ on: instant }),
  component: Leaving,
})

function Leaving() {
  const { on } = Route.useSearch()
  return (
    <Live>
      <LeavingScreen on={on} />
    </Live>
  )
}
