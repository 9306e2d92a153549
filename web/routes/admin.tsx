import { createFileRoute } from '@tanstack/react-router'
import { AdminGate } from '../features/admin/shell/admin-gate.tsx'
import { requireLogin } from '../features/auth/guards.ts'
import { SignedIn } from '../features/auth/signed-in.tsx'
import { AppPending } from '../features/shell/app-pending.tsx'
import { AppProviders } from '../features/shell/app-providers.tsx'
import type { LiveContext } from '../lib/router-context.ts'

export const Route = createFileRoute('/admin')({
  beforeLoad: async ({ context, location }): Promise<LiveContext> => {
    const live = await context.live()
    await requireLogin(live.trpc, location.href)
    return live
  },
  component: () => (
    <AppProviders>
      <SignedIn>
        <AdminGate />
      </SignedIn>
    </AppProviders>
  ),
  pendingComponent: AppPending,
})
