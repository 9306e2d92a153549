import { createFileRoute } from '@tanstack/react-router'
import { routeTitle } from '../../../features/parts/route-head.ts'
import { SuccessScreen } from '../../../features/subscription/success-screen.tsx'
import { searchValidator, text } from '../../../lib/search.ts'

export const Route = createFileRoute('/_public/_live/subscription/success')({
  ...routeTitle('Subscription'),
  validateSearch: searchValidator({ session_id: text(300) }),
  component: Success,
})

function Success() {
  const { session_id: sessionId = '' } = Route.useSearch()
  return <SuccessScreen sessionId={sessionId} />
}
