import { createFileRoute } from '@tanstack/react-router'
import { staffListParams } from '../../features/admin/lists/staff-list-params.ts'
import { StaffListScreen } from '../../features/admin/lists/staff-list-screen.tsx'
import { staffListTitles } from '../../features/admin/lists/staff-list-titles.ts'
import { routeTitle } from '../../features/parts/route-head.ts'

export const Route = createFileRoute('/admin/appointments')({
  ...routeTitle(staffListTitles.appointments),
  validateSearch: staffListParams,
  component: () => <StaffListScreen list="appointments" />,
})
