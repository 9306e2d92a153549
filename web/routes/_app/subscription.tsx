import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { titled } from '../../features/shell/titled.ts'
import { SubscriptionScreen } from '../../features/subscription/subscription-screen.tsx'

export const Route = createFileRoute('/_app/subscription')({
  ...titled('Subscription'),
  // Back from the card provider's pages.
  validateSearch: z.object({ from: z.literal('billing').optional().catch(undefined), done: z.enum(['plan', 'card']).optional().catch(undefined) }),
  loader: async ({ context }) => {
    await Promise.all([context.trpc.subscription.mine.prefetch(), context.trpc.subscription.billing.prefetch()])
  },
  component: SubscriptionRoute,
})

function SubscriptionRoute() {
  const { from, done } = Route.useSearch()
  return <SubscriptionScreen returned={from === 'billing'} done={done} />
}
