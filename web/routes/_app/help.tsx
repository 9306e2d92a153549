import { createFileRoute } from '@tanstack/react-router'
import { HelpScreen } from '../../features/help/help-screen.tsx'
import { titled } from '../../features/parts/titled.ts'

export const Route = createFileRoute('/_app/help')({
  ...titled('Help'),
  component: HelpScreen,
})
