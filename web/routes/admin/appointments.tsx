import { createFileRoute } from '@tanstack/react-router'
import { staffListParams } from '../../features/admin/lists/staff-list-params.ts'
import { StaffListScreen } from '../../features/admin/lists/staff-list-screen.tsx'
import { staffListTexts } from '../../features/admin/lists/staff-list-texts.ts'
import { routeTitle } from '../../features/parts/route-head.ts'

export const Route = createFileRoute('/admin/appointments')({
  ...routeTitle(staffListTexts.appointments.title),
  validateSearch: staffListParams,
  component: () => <StaffListScreen list="appointments" />,
})
