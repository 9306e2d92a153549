import { createFileRoute } from '@tanstack/react-router'
import { AdminGate } from '../features/admin/shell/admin-gate.tsx'
import { requireSomebody } from '../features/auth/guards.ts'
import { AppPending } from '../features/shell/app-pending.tsx'
import { AppProviders } from '../features/shell/app-providers.tsx'
import type { LiveContext } from '../lib/router-context.ts'

export const Route = createFileRoute('/admin')({
  beforeLoad: async ({ context }): Promise<LiveContext> => {
    const live = await context.live()
    await requireSomebody(live.trpc)
    return live
  },
  component: () => (
    <AppProviders>
      <AdminGate />
    </AppProviders>
  ),
  pendingComponent: AppPending,
})
