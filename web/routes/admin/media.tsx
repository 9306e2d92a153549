import { createFileRoute } from '@tanstack/react-router'
import { toSearchParams } from '../../features/admin/parts/search-params.ts'
import { staffListParams } from '../../features/admin/lists/staff-list-params.ts'
import { StaffListScreen } from '../../features/admin/lists/staff-list-screen.tsx'
import { listWords } from '../../features/admin/lists/staff-list-words.ts'
import { routeTitle } from '../../features/parts/route-head.ts'

export const Route = createFileRoute('/admin/media')({
  ...routeTitle(listWords.media.title),
  validateSearch: staffListParams,
  component: List,
})

function List() {
  const asked = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <StaffListScreen list="media" asked={asked} onAsk={(next) => void navigate({ search: toSearchParams(next) })} />
  )
}
