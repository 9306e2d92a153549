import { createFileRoute } from '@tanstack/react-router'
import { AppProviders } from '../../features/shell/app-providers.tsx'
import { routeTitle } from '../../features/parts/route-head.ts'
import { CancelScreen } from '../../features/subscription/cancel-screen.tsx'

export const Route = createFileRoute('/_public/subscription/cancel')({
  ...routeTitle('Subscription'),
  component: () => (
    <AppProviders>
      <CancelScreen />
    </AppProviders>
  ),
})
