import { createFileRoute } from '@tanstack/react-router'
import { DevelopersScreen } from '../../features/settings/developers-screen.tsx'
import { routeTitle } from '../../features/parts/route-head.ts'

export const Route = createFileRoute('/_app/settings_/developers')({
  ...routeTitle('Developers'),
  loader: ({ context }) => {
    void context.trpc.keys.list.prefetch()
    void context.trpc.webhooks.list.prefetch()
    void context.trpc.assistants.list.prefetch()
  },
  component: DevelopersScreen,
})
