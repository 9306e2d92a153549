import { createFileRoute } from '@tanstack/react-router'
import { ContactScreen } from '../../features/help/support-screen.tsx'
import { AppProviders } from '../../features/shell/app-providers.tsx'
import { described } from '../../features/parts/route-head.ts'

export const Route = createFileRoute('/_public/contact')({
  ...described('Contact', 'Write to the people who make Flashsheet.'),
  component: () => (
    <AppProviders>
      <ContactScreen />
    </AppProviders>
  ),
})
