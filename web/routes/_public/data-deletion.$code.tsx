import { createFileRoute } from '@tanstack/react-router'
import { AppProviders } from '../../features/shell/app-providers.tsx'
import { routeTitle } from '../../features/parts/route-head.ts'
import { DataDeletionScreen } from '../../features/social/data-deletion-screen.tsx'

export const Route = createFileRoute('/_public/data-deletion/$code')({
  ...routeTitle('Data deletion'),
  component: DataDeletion,
})

function DataDeletion() {
  const { code } = Route.useParams()
  return (
    <AppProviders>
      <DataDeletionScreen code={code} />
    </AppProviders>
  )
}
