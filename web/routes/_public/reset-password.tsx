import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { ResetPasswordScreen } from '../../features/auth/reset-password-screen.tsx'
import { titled } from '../../features/shell/titled.ts'

export const Route = createFileRoute('/_public/reset-password')({
  ...titled('Reset password'),
  // A token of digits alone arrives as a number.
  validateSearch: z.object({ token: z.coerce.string().optional().catch(undefined) }),
  component: ResetPassword,
})

function ResetPassword() {
  const { token = '' } = Route.useSearch()
  return <ResetPasswordScreen key={token} token={token} />
}
