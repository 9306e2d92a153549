import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { sendSignedInTo } from '../../features/auth/guards.ts'
import { LoginScreen } from '../../features/auth/login-screen.tsx'
import { described } from '../../features/shell/titled.ts'

export const Route = createFileRoute('/_public/login')({
  ...described('Log in', 'Log in to Flashsheet.'),
  // Why somebody was sent here, e.g. by a network's redirect after the session had ended.
  validateSearch: z.object({ error: z.coerce.string().max(300).optional().catch(undefined) }),
  beforeLoad: async ({ context }) => {
    await sendSignedInTo(context.trpc, '/new-post')
  },
  component: Login,
})

function Login() {
  const { error } = Route.useSearch()
  return <LoginScreen reason={error} />
}
