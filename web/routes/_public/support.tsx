import { createFileRoute } from '@tanstack/react-router'
import { SupportScreen } from '../../features/help/support-screen.tsx'
import { Live } from '../../features/shell/live.tsx'
import { described } from '../../features/parts/titled.ts'

export const Route = createFileRoute('/_public/support')({
  ...described('Support', 'Answers about posting, bookings, the website and payments with Flashsheet, and a way to ask.'),
  component: () => (
    <Live>
      <SupportScreen />
    </Live>
  ),
})
