import { createFileRoute } from '@tanstack/react-router'
import { routeTitle } from '../../../features/parts/route-head.ts'
import { CancelScreen } from '../../../features/subscription/cancel-screen.tsx'

export const Route = createFileRoute('/_public/_live/subscription/cancel')({
  ...routeTitle('Subscription'),
  component: CancelScreen,
})
