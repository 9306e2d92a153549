import { createFileRoute } from '@tanstack/react-router'
import { ResetPasswordScreen } from '../../features/auth/reset-password-screen.tsx'
import { Live } from '../../features/shell/live.tsx'
import { titled } from '../../features/parts/titled.ts'
import { reading, text } from '../../lib/search.ts'

export const Route = createFileRoute('/_public/reset-password')({
  ...titled('Reset password'),
  // A token of digits alone arrives as a number.
  validateSearch: reading({ token: text(300) }),
  component: ResetPassword,
})

function ResetPassword() {
  const { token = '' } = Route.useSearch()
  return (
    <Live>
      <ResetPasswordScreen key={token} token={token} />
    </Live>
  )
}
