import { createFileRoute, Outlet } from '@tanstack/react-router'
import { SubscriberGate } from '../../features/subscription/subscriber-gate.tsx'

export const Route = createFileRoute('/_app/_subscriber')({
  loader: async ({ context }) => {
    // Cached data is used at once and refetched in the background. SubscriberGate shows a failure.
    await context.trpc.subscription.mine.ensureData().catch(() => undefined)
  },
  component: () => (
    <SubscriberGate>
      <Outlet />
    </SubscriberGate>
  ),
})
