import { createFileRoute } from '@tanstack/react-router'
import { SettingsScreen } from '../../features/settings/settings-screen.tsx'
import { routeTitle } from '../../features/parts/route-head.ts'

export const Route = createFileRoute('/_app/settings')({
  ...routeTitle('Settings'),
  loader: ({ context }) => {
    // Requested in parallel with the screen's code. The screen has skeletons, so navigation does not wait.
    void context.trpc.auth.studioZone.prefetch()
    void context.trpc.notices.mails.prefetch()
    void context.trpc.auth.sessions.prefetch()
  },
  component: SettingsScreen,
})
