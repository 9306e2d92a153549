import { createFileRoute } from '@tanstack/react-router'
import { ContactScreen } from '../../../features/help/support-screen.tsx'
import { described } from '../../../features/parts/route-head.ts'

export const Route = createFileRoute('/_public/_live/contact')({
  ...described('Contact', 'Write to the people who make Flashsheet.'),
  component: ContactScreen,
})
