import { createFileRoute } from '@tanstack/react-router'
import { routeTitle } from '../../../features/parts/route-head.ts'
import { DataDeletionScreen } from '../../../features/social/data-deletion-screen.tsx'

export const Route = createFileRoute('/_public/_live/data-deletion/$code')({
  ...routeTitle('Data deletion'),
  component: DataDeletion,
})

function DataDeletion() {
  const { code } = Route.useParams()
  return <DataDeletionScreen code={code} />
}
