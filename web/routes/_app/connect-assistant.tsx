import { createFileRoute } from '@tanstack/react-router'
import { routeTitle } from '../../features/parts/route-head.ts'
import { ConsentScreen } from '../../features/settings/consent-screen.tsx'
import { reading, text } from '../../lib/search.ts'

// What the assistant asks for, as GET /oauth/authorize packed it: the router would read numbers out of it.
const search = reading({ request: text(12_000) })

export const Route = createFileRoute('/_app/connect-assistant')({
  ...routeTitle('Connect an assistant'),
  validateSearch: search,
  component: Consent,
})

function Consent() {
  return <ConsentScreen request={Route.useSearch().request ?? ''} />
}
