import { createFileRoute } from '@tanstack/react-router'
import { staffListParams } from '../../features/admin/lists/staff-list-params.ts'
import { StaffListScreen } from '../../features/admin/lists/staff-list-screen.tsx'
import { staffListTexts } from '../../features/admin/lists/staff-list-texts.ts'
import { routeTitle } from '../../features/parts/route-head.ts'

export const Route = createFileRoute('/admin/scheduled-posts')({
  ...routeTitle(staffListTexts['scheduled-posts'].title),
  validateSearch: staffListParams,
  component: () => <StaffListScreen list="scheduled-posts" />,
})
