import { adminLimits } from '@flashsheet/contracts/admin/limits'
import { createFileRoute } from '@tanstack/react-router'
import { SettingsScreen } from '../../features/admin/settings/settings-screen.tsx'
import { routeTitle } from '../../features/parts/route-head.ts'
import { searchValidator, integer } from '../../lib/search.ts'

export const Route = createFileRoute('/admin/settings')({
  ...routeTitle('Settings'),
  validateSearch: searchValidator({ page: integer(2, adminLimits.pageMax) }),
  component: SettingsScreen,
})
