import { createFileRoute, Outlet } from '@tanstack/react-router'
import { SubscriberGate } from '../../features/subscription/subscriber-gate.tsx'

export const Route = createFileRoute('/_app/_subscriber')({
  loader: async ({ context }) => {
    // What is known is shown at once and asked for again behind it; the gate says what became of a failure.
    await context.trpc.subscription.mine.ensureData().catch(() => undefined)
  },
  component: () => (
    <SubscriberGate>
      <Outlet />
    </SubscriberGate>
  ),
})
