import { createFileRoute } from '@tanstack/react-router'
import { EndpointScreen } from '../../features/webhooks/endpoint-screen.tsx'
import { routeTitle } from '../../features/parts/route-head.ts'

export const Route = createFileRoute('/_app/settings_/developers_/webhooks/$id')({
  ...routeTitle('Webhook'),
  loader: ({ context, params }) => {
    void context.trpc.webhooks.list.prefetch()
    void context.trpc.webhooks.deliveries.prefetch({ id: params.id })
  },
  component: Endpoint,
})

function Endpoint() {
  return <EndpointScreen id={Route.useParams().id} />
}
