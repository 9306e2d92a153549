import { createFileRoute } from '@tanstack/react-router'
import { PendingDeletionScreen } from '../../../features/auth/pending-deletion-screen.tsx'
import { routeTitle } from '../../../features/parts/route-head.ts'
import { instant, searchValidator } from '../../../lib/search.ts'

export const Route = createFileRoute('/_public/_live/leaving')({
  ...routeTitle('Account deletion'),
  validateSearch: searchValidator({ on: instant }),
  component: Leaving,
})

function Leaving() {
  const { on } = Route.useSearch()
  return <PendingDeletionScreen on={on} />
}
