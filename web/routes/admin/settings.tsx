import { adminLimits } from '@flashsheet/contracts/plain'
import { createFileRoute } from '@tanstack/react-router'
import { inAddress } from '../../features/admin/parts/asked.ts'
import { SettingsScreen } from '../../features/admin/settings/settings-screen.tsx'
import { titled } from '../../features/parts/titled.ts'
import { reading, whole } from '../../lib/search.ts'

export const Route = createFileRoute('/admin/settings')({
  ...titled('Settings'),
  validateSearch: reading({ page: whole(2, adminLimits.pageMax) }),
  component: Settings,
})

function Settings() {
  const { page = 1 } = Route.useSearch()
  const navigate = Route.useNavigate()
  return <SettingsScreen page={page} onPage={(next) => void navigate({ search: inAddress({ page: next }) })} />
}
