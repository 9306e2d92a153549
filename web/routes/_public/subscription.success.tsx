import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { titled } from '../../features/shell/titled.ts'
import { SuccessScreen } from '../../features/subscription/success-screen.tsx'

export const Route = createFileRoute('/_public/subscription/success')({
  ...titled('Subscription'),
  validateSearch: z.object({ session_id: z.coerce.string().optional().catch(undefined) }),
  component: Success,
})

function Success() {
  const { session_id: sessionId = '' } = Route.useSearch()
  return <SuccessScreen sessionId={sessionId} />
}
