import { createFileRoute } from '@tanstack/react-router'
import { ProfileScreen } from '../../../features/auth/profile-screen.tsx'
import { routeTitle } from '../../../features/parts/route-head.ts'

export const Route = createFileRoute('/_app/_subscriber/profile')({
  ...routeTitle('Profile'),
  loader: async ({ context }) => {
    await context.trpc.auth.account.prefetch()
  },
  component: ProfileScreen,
})
