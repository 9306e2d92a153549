import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { VerifyEmailScreen } from '../../features/auth/verify-email-screen.tsx'
import { titled } from '../../features/shell/titled.ts'

export const Route = createFileRoute('/_public/verify-email')({
  ...titled('Verify your email'),
  // A token of digits alone arrives as a number.
  validateSearch: z.object({ token: z.coerce.string().optional().catch(undefined), email: z.string().optional().catch(undefined) }),
  component: VerifyEmail,
})

function VerifyEmail() {
  const { token = '', email = '' } = Route.useSearch()
  return <VerifyEmailScreen token={token} email={email} />
}
