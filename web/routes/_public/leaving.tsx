import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { LeavingScreen } from '../../features/auth/leaving-screen.tsx'
import { titled } from '../../features/shell/titled.ts'

export const Route = createFileRoute('/_public/leaving')({
  ...titled('Leaving'),
  validateSearch: z.object({ on: z.iso.datetime().optional().catch(undefined) }),
  component: Leaving,
})

function Leaving() {
  const { on } = Route.useSearch()
  return <LeavingScreen on={on} />
}
