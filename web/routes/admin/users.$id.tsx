import { createFileRoute } from '@tanstack/react-router'
import { ArtistScreen } from '../../features/admin/artists/artist-screen.tsx'
import { titled } from '../../features/parts/titled.ts'

export const Route = createFileRoute('/admin/users/$id')({ ...titled('Artist'), component: Artist })

function Artist() {
  return <ArtistScreen id={Route.useParams().id} />
}
