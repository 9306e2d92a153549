import { createFileRoute } from '@tanstack/react-router'
import { inAddress } from '../../features/admin/parts/asked.ts'
import { staffListParams } from '../../features/admin/lists/staff-list-params.ts'
import { StaffListScreen } from '../../features/admin/lists/staff-list-screen.tsx'
import { listWords } from '../../features/admin/lists/staff-list-words.ts'
import { titled } from '../../features/parts/titled.ts'

export const Route = createFileRoute('/admin/websites')({ ...titled(listWords.websites.title), validateSearch: staffListParams, component: List })

function List() {
  const asked = Route.useSearch()
  const navigate = Route.useNavigate()
  return <StaffListScreen list="websites" asked={asked} onAsk={(next) => void navigate({ search: inAddress(next) })} />
}
