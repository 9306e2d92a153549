import { createFileRoute } from '@tanstack/react-router'
import { inAddress } from '../../features/admin/parts/asked.ts'
import { staffListParams } from '../../features/admin/lists/staff-list-params.ts'
import { StaffListScreen } from '../../features/admin/lists/staff-list-screen.tsx'
import { listWords } from '../../features/admin/lists/staff-list-words.ts'
import { titled } from '../../features/parts/titled.ts'

export const Route = createFileRoute('/admin/scheduled-posts')({ ...titled(listWords['scheduled-posts'].title), validateSearch: staffListParams, component: List })

function List() {
  const asked = Route.useSearch()
  const navigate = Route.useNavigate()
  return <StaffListScreen list="scheduled-posts" asked={asked} onAsk={(next) => void navigate({ search: inAddress(next) })} />
}
