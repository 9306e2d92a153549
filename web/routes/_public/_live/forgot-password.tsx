import { createFileRoute } from '@tanstack/react-router'
import { ForgotPasswordScreen } from '../../../features/auth/forgot-password-screen.tsx'
import { routeTitle } from '../../../features/parts/route-head.ts'

export const Route = createFileRoute('/_public/_live/forgot-password')({
  ...routeTitle('Forgot password'),
  component: ForgotPasswordScreen,
})
