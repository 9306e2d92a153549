import { createFileRoute } from '@tanstack/react-router'
import { ForgotPasswordScreen } from '../../features/auth/forgot-password-screen.tsx'
import { Live } from '../../features/shell/live.tsx'
import { titled } from '../../features/parts/titled.ts'

export const Route = createFileRoute('/_public/forgot-password')({
  ...titled('Forgot password'),
  component: () => (
    <Live>
      <ForgotPasswordScreen />
    </Live>
  ),
})
