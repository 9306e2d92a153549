import { createFileRoute } from '@tanstack/react-router'
import { requireVerifiedUser } from '../features/auth/guards.ts'
import { AppPending } from '../features/shell/app-pending.tsx'
import { AppShell } from '../features/shell/app-shell.tsx'

export const Route = createFileRoute('/_app')({
  beforeLoad: async ({ context }) => {
    await requireVerifiedUser(context.trpc)
  },
  component: AppShell,
  pendingComponent: AppPending,
})
