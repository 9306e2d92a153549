import { createFileRoute } from '@tanstack/react-router'
import { routeTitle } from '../../features/parts/route-head.ts'
import { ConsentScreen } from '../../features/settings/consent-screen.tsx'
import { searchValidator, text } from '../../lib/search.ts'

// The assistant's request, encoded by GET /oauth/authorize, because the router would parse some of its parameters as numbers.
const search = searchValidator({ request: text(12_000) })

export const Route = createFileRoute('/_app/connect-assistant')({
  ...routeTitle('Connect an assistant'),
  validateSearch: search,
  component: Consent,
})

function Consent() {
  return <ConsentScreen request={Route.useSearch().request ?? ''} />
}
