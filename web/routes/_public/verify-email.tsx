import { createFileRoute } from '@tanstack/react-router'
import { VerifyEmailScreen } from '../../features/auth/verify-email-screen.tsx'
import { Live } from '../../features/shell/live.tsx'
import { titled } from '../../features/parts/titled.ts'
import { reading, text } from '../../lib/search.ts'

export const Route = createFileRoute('/_public/verify-email')({
  ...titled('Verify your email'),
  // A token of digits alone arrives as a number.
  validateSearch: reading({ token: text(300), email: text(300) }),
  component: VerifyEmail,
})

function VerifyEmail() {
  const { token = '', email = '' } = Route.useSearch()
  return (
    <Live>
      <VerifyEmailScreen key={token} token={token} email={email} />
    </Live>
  )
}
