import { createFileRoute } from '@tanstack/react-router'
import { redirectWhenSignedIn } from '../../../features/auth/guards.ts'
import { RegisterScreen } from '../../../features/auth/register-screen.tsx'
import { described } from '../../../features/parts/route-head.ts'

export const Route = createFileRoute('/_public/_live/register')({
  ...described(
    'Create your account',
    'Create a Flashsheet account and post your tattoo work once, to all your networks.',
  ),
  beforeLoad: async ({ context }) => {
    await redirectWhenSignedIn(context.live, '/')
  },
  component: RegisterScreen,
})
