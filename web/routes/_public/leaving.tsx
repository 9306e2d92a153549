import { createFileRoute } from '@tanstack/react-router'
import { PendingDeletionScreen } from '../../features/auth/pending-deletion-screen.tsx'
import { AppProviders } from '../../features/shell/app-providers.tsx'
import { routeTitle } from '../../features/parts/route-head.ts'
import { instant, searchValidator } from '../../lib/search.ts'

export const Route = createFileRoute('/_public/leaving')({
  ...routeTitle('Account deletion'),
  validateSearch: searchValidator({ on: instant }),
  component: Leaving,
})

function Leaving() {
  const { on } = Route.useSearch()
  return (
    <AppProviders>
      <PendingDeletionScreen on={on} />
    </AppProviders>
  )
}
