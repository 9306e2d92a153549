import { createFileRoute } from '@tanstack/react-router'
import { ForgotPasswordScreen } from '../../features/auth/forgot-password-screen.tsx'
import { AppProviders } from '../../features/shell/app-providers.tsx'
import { routeTitle } from '../../features/parts/route-head.ts'

export const Route = createFileRoute('/_public/forgot-password')({
  ...routeTitle('Forgot password'),
  component: () => (
    <AppProviders>
      <ForgotPasswordScreen />
    </AppProviders>
  ),
})
