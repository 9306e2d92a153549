import { createFileRoute } from '@tanstack/react-router'
import { DashboardScreen } from '../../features/admin/dashboard/dashboard-screen.tsx'
import { titled } from '../../features/parts/titled.ts'

export const Route = createFileRoute('/admin/')({ ...titled('Dashboard'), component: DashboardScreen })
