import { createFileRoute } from '@tanstack/react-router'
import { VerifyEmailScreen } from '../../../features/auth/verify-email-screen.tsx'
import { routeTitle } from '../../../features/parts/route-head.ts'
import { searchValidator, text } from '../../../lib/search.ts'

export const Route = createFileRoute('/_public/_live/verify-email')({
  ...routeTitle('Verify your email'),
  // The router parses a token of digits only as a number; `text` converts it back.
  validateSearch: searchValidator({ token: text(300), email: text(300) }),
  component: VerifyEmail,
})

function VerifyEmail() {
  const { token = '', email = '' } = Route.useSearch()
  return <VerifyEmailScreen key={token} token={token} email={email} />
}
