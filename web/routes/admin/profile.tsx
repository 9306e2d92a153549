import { createFileRoute } from '@tanstack/react-router'
import { ProfileScreen } from '../../features/auth/profile-screen.tsx'
import { titled } from '../../features/parts/titled.ts'

export const Route = createFileRoute('/admin/profile')({ ...titled('Admin Profile'), component: ProfileScreen })
