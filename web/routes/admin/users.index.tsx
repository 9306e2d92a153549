import { adminLimits } from '@flashsheet/contracts/admin'
import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { artistSorts, ArtistsScreen } from '../../features/admin/artists-screen.tsx'
import { titled } from '../../features/shell/titled.ts'

export const Route = createFileRoute('/admin/users/')({
  ...titled('Artists'),
  // Whatever else stands in an address is no reason to refuse it.
  validateSearch: z.object({
    page: z.coerce.number().int().min(2).max(adminLimits.pageMax).optional().catch(undefined),
    search: z.coerce.string().min(1).max(adminLimits.searchMax).optional().catch(undefined),
    sort: z.enum(artistSorts).optional().catch(undefined),
  }),
  component: Artists,
})

function Artists() {
  const asked = Route.useSearch()
  const navigate = Route.useNavigate()
  return <ArtistsScreen asked={asked} onAsk={({ page, ...search }) => void navigate({ search: { ...search, ...(page === 1 ? {} : { page }) } })} />
}
