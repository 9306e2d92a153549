import { createFileRoute } from '@tanstack/react-router'
import { SupportScreen } from '../../../features/help/support-screen.tsx'
import { described } from '../../../features/parts/route-head.ts'

export const Route = createFileRoute('/_public/_live/support')({
  ...described(
    'Support',
    'Answers about posting, bookings, the website and payments with Flashsheet, and a way to ask.',
  ),
  component: SupportScreen,
})
