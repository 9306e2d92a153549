import { createFileRoute } from '@tanstack/react-router'
import { ResetPasswordScreen } from '../../features/auth/reset-password-screen.tsx'
import { AppProviders } from '../../features/shell/app-providers.tsx'
import { routeTitle } from '../../features/parts/route-head.ts'
import { searchValidator, text } from '../../lib/search.ts'

export const Route = createFileRoute('/_public/reset-password')({
  ...routeTitle('Reset password'),
  // The router parses a token of digits only as a number; `text` converts it back.
  validateSearch: searchValidator({ token: text(300) }),
  component: ResetPassword,
})

function ResetPassword() {
  const { token = '' } = Route.useSearch()
  return (
    <AppProviders>
      <ResetPasswordScreen key={token} token={token} />
    </AppProviders>
  )
}
