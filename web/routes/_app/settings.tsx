import { createFileRoute } from '@tanstack/react-router'
import { SettingsScreen } from '../../features/settings/settings-screen.tsx'
import { routeTitle } from '../../features/parts/route-head.ts'

export const Route = createFileRoute('/_app/settings')({
  ...routeTitle('Settings'),
  loader: ({ context }) => {
    // They set out together with the screen's code; nothing waits for them here.
    void context.trpc.auth.studioZone.prefetch()
    void context.trpc.notices.mails.prefetch()
    void context.trpc.auth.sessions.prefetch()
  },
  component: SettingsScreen,
})
