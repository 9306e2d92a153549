import { createFileRoute } from '@tanstack/react-router'
import { titled } from '../../features/shell/titled.ts'
import { SubscriptionScreen } from '../../features/subscription/subscription-screen.tsx'

export const Route = createFileRoute('/_app/subscription')({
  ...titled('Subscription'),
  loader: async ({ context }) => {
    await context.trpc.subscription.mine.prefetch()
  },
  component: SubscriptionScreen,
})
