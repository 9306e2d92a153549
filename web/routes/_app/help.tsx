import { createFileRoute } from '@tanstack/react-router'
import { HelpScreen } from '../../features/help/help-screen.tsx'
import { routeTitle } from '../../features/parts/route-head.ts'

export const Route = createFileRoute('/_app/help')({
  ...routeTitle('Help'),
  component: HelpScreen,
})
