import { createFileRoute } from '@tanstack/react-router'
import { Live } from '../../features/shell/live.tsx'
import { titled } from '../../features/parts/titled.ts'
import { DataDeletionScreen } from '../../features/social/data-deletion-screen.tsx'

export const Route = createFileRoute('/_public/data-deletion/$code')({
  ...titled('Data deletion'),
  component: DataDeletion,
})

function DataDeletion() {
  const { code } = Route.useParams()
  return (
    <Live>
      <DataDeletionScreen code={code} />
    </Live>
  )
}
