import { createFileRoute } from '@tanstack/react-router'
import { ResetPasswordScreen } from '../../../features/auth/reset-password-screen.tsx'
import { routeTitle } from '../../../features/parts/route-head.ts'
import { searchValidator, text } from '../../../lib/search.ts'

export const Route = createFileRoute('/_public/_live/reset-password')({
  ...routeTitle('Reset password'),
  // The router parses a token of digits only as a number; `text` converts it back.
  validateSearch: searchValidator({ token: text(300) }),
  component: ResetPassword,
})

function ResetPassword() {
  const { token = '' } = Route.useSearch()
  return <ResetPasswordScreen key={token} token={token} />
}
