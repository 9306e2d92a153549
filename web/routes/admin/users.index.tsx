import { adminLimits } from '@flashsheet/contracts/admin/limits'
import { createFileRoute } from '@tanstack/react-router'
import { artistSorts } from '../../features/admin/artists/artist-sorts.ts'
import { ArtistsScreen } from '../../features/admin/artists/artists-screen.tsx'
import { routeTitle } from '../../features/parts/route-head.ts'
import { oneOf } from '../../lib/read-stored-json.ts'
import { searchValidator, text, integer } from '../../lib/search.ts'

export const Route = createFileRoute('/admin/users/')({
  ...routeTitle('Artists'),
  // Invalid parameters are ignored, so that an old link still opens.
  validateSearch: searchValidator({
    page: integer(2, adminLimits.pageMax),
    search: text(adminLimits.searchMax),
    sort: oneOf(artistSorts),
  }),
  component: ArtistsScreen,
})
