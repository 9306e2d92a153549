import { createFileRoute } from '@tanstack/react-router'
import { ProfileScreen } from '../../features/auth/profile-screen.tsx'
import { routeTitle } from '../../features/parts/route-head.ts'

export const Route = createFileRoute('/admin/profile')({ ...routeTitle('Admin Profile'), component: ProfileScreen })
