import { createFileRoute } from '@tanstack/react-router'
import { sendSignedInTo } from '../../features/auth/guards.ts'
import { RegisterScreen } from '../../features/auth/register-screen.tsx'
import { titled } from '../../features/shell/titled.ts'

export const Route = createFileRoute('/_public/register')({
  ...titled('Create your account'),
  beforeLoad: async ({ context }) => {
    await sendSignedInTo(context.trpc, '/')
  },
  component: RegisterScreen,
})
