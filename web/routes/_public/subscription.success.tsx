import { createFileRoute } from '@tanstack/react-router'
import { Live } from '../../features/shell/live.tsx'
import { titled } from '../../features/parts/titled.ts'
import { SuccessScreen } from '../../features/subscription/success-screen.tsx'
import { reading, text } from '../../lib/search.ts'

export const Route = createFileRoute('/_public/subscription/success')({
  ...titled('Subscription'),
  validateSearch: reading({ session_id: text(300) }),
  component: Success,
})

function Success() {
  const { session_id: sessionId = '' } = Route.useSearch()
  return (
    <Live>
      <SuccessScreen sessionId={sessionId} />
    </Live>
  )
}
