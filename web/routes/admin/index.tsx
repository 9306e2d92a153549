import { createFileRoute } from '@tanstack/react-router'
import { DashboardScreen } from '../../features/admin/dashboard/dashboard-screen.tsx'
import { routeTitle } from '../../features/parts/route-head.ts'

export const Route = createFileRoute('/admin/')({ ...routeTitle('Dashboard'), component: DashboardScreen })
