import { createFileRoute } from '@tanstack/react-router'
import { ArtistScreen } from '../../features/admin/artists/artist-screen.tsx'
import { routeTitle } from '../../features/parts/route-head.ts'

export const Route = createFileRoute('/admin/users/$id')({ ...routeTitle('Artist'), component: Artist })

function Artist() {
  return <ArtistScreen id={Route.useParams().id} />
}
