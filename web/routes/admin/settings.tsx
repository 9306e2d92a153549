import { adminLimits } from '@flashsheet/contracts/admin'
import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { SettingsScreen } from '../../features/admin/settings-screen.tsx'
import { titled } from '../../features/shell/titled.ts'

export const Route = createFileRoute('/admin/settings')({
  ...titled('Settings'),
  validateSearch: z.object({ page: z.coerce.number().int().min(2).max(adminLimits.pageMax).optional().catch(undefined) }),
  component: Settings,
})

function Settings() {
  const { page = 1 } = Route.useSearch()
  const navigate = Route.useNavigate()
  return <SettingsScreen page={page} onPage={(next) => void navigate({ search: next === 1 ? {} : { page: next } })} />
}
