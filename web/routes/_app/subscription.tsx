import { createFileRoute } from '@tanstack/react-router'
import { routeTitle } from '../../features/parts/route-head.ts'
import { SubscriptionScreen } from '../../features/subscription/subscription-screen.tsx'
import { oneOf } from '../../lib/read-stored-json.ts'
import { searchValidator } from '../../lib/search.ts'

export const Route = createFileRoute('/_app/subscription')({
  ...routeTitle('Subscription'),
  // Set by the return URL of Stripe's pages.
  validateSearch: searchValidator({ from: oneOf(['billing']), done: oneOf(['plan', 'card']) }),
  loader: async ({ context }) => {
    await Promise.all([context.trpc.subscription.mine.prefetch(), context.trpc.subscription.billing.prefetch()])
  },
  component: SubscriptionRoute,
})

function SubscriptionRoute() {
  const { from, done } = Route.useSearch()
  return <SubscriptionScreen returned={from === 'billing'} done={done} />
}
