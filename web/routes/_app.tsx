import { createFileRoute } from '@tanstack/react-router'
import { requireVerifiedUser } from '../features/auth/guards.ts'
import { SignedIn } from '../features/auth/signed-in.tsx'
import { AppPending } from '../features/shell/app-pending.tsx'
import { AppShell } from '../features/shell/app-shell.tsx'
import { AppProviders } from '../features/shell/app-providers.tsx'
import { ConnectAfterUpload } from '../features/social/connect-after-upload.tsx'
import type { LiveContext } from '../lib/router-context.ts'

/** Whose guard was passed last. */
let screen: string | undefined

export const Route = createFileRoute('/_app')({
  beforeLoad: async ({ context, location, preload }): Promise<LiveContext> => {
    const live = await context.live()
    // A step within a screen waits for nobody, and needs no connection.
    await requireVerifiedUser(live.trpc, location.href, location.pathname === screen ? Infinity : undefined)
    if (!preload) screen = location.pathname
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
