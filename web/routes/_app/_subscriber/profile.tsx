import { createFileRoute } from '@tanstack/react-router'
import { ProfileScreen } from '../../../features/auth/profile-screen.tsx'
import { titled } from '../../../features/parts/titled.ts'

export const Route = createFileRoute('/_app/_subscriber/profile')({
  ...titled('Profile'),
  loader: async ({ context }) => {
    await context.trpc.auth.account.prefetch()
  },
  component: ProfileScreen,
})
