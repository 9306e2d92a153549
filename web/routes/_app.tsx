import { createFileRoute } from '@tanstack/react-router'
import { requireVerifiedUser } from '../features/auth/guards.ts'
import { SignedIn } from '../features/auth/signed-in.tsx'
import { AppPending } from '../features/shell/app-pending.tsx'
import { AppShell } from '../features/shell/app-shell.tsx'
import { AppProviders } from '../features/shell/app-providers.tsx'
import { ConnectAfterUpload } from '../features/social/connect-after-upload.tsx'
import type { LiveContext } from '../lib/router-context.ts'

/** The path for which the guard has passed last. */
let guardedPath: string | undefined

export const Route = createFileRoute('/_app')({
  beforeLoad: async ({ context, location, preload }): Promise<LiveContext> => {
    const live = await context.live()
    // Navigation within a screen, such as the wizard's steps, uses the cached session, so that it works offline.
    await requireVerifiedUser(live.trpc, location.href, location.pathname === guardedPath ? Infinity : undefined)
    if (!preload) guardedPath = location.pathname
    return live
  },
  component: () => (
    <AppProviders>
      <SignedIn>
        <AppShell />
        <ConnectAfterUpload />
      </SignedIn>
    </AppProviders>
  ),
  pendingComponent: AppPending,
})
