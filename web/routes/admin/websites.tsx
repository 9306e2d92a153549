import { createFileRoute } from '@tanstack/react-router'
import { staffListParams } from '../../features/admin/lists/staff-list-params.ts'
import { StaffListScreen } from '../../features/admin/lists/staff-list-screen.tsx'
import { listWords } from '../../features/admin/lists/staff-list-words.ts'
import { routeTitle } from '../../features/parts/route-head.ts'

export const Route = createFileRoute('/admin/websites')({
  ...routeTitle(listWords.websites.title),
  validateSearch: staffListParams,
  component: () => <StaffListScreen list="websites" />,
})
