import { createFileRoute } from '@tanstack/react-router'
import { AdminGate, requireSomebody } from '../features/admin/admin-gate.tsx'
import { AppPending } from '../features/shell/app-pending.tsx'

export const Route = createFileRoute('/admin')({
  beforeLoad: async ({ context }) => {
    await requireSomebody(context.trpc)
  },
  component: AdminGate,
  pendingComponent: AppPending,
})
