import { createFileRoute } from '@tanstack/react-router'
import { DashboardScreen } from '../../features/admin/dashboard-screen.tsx'
import { titled } from '../../features/shell/titled.ts'

export const Route = createFileRoute('/admin/')({ ...titled('Dashboard'), component: DashboardScreen })
