import { createFileRoute } from '@tanstack/react-router'
import { requireVerifiedUser } from '../features/auth/guards.ts'
import { AppPending } from '../features/shell/app-pending.tsx'
import { AppShell } from '../features/shell/app-shell.tsx'
import { Live } from '../features/shell/live.tsx'
import type { LiveContext } from '../lib/router-context.ts'

export const Route = createFileRoute('/_app')({
  beforeLoad: async ({ context }): Promise<LiveContext> => {
    const live = await context.live()
    await requireVerifiedUser(live.trpc)
    return live
  },
  component: () => (
    <Live>
      <AppShell />
    </Live>
  ),
  pendingComponent: AppPending,
})
