import { createFileRoute } from '@tanstack/react-router'
import { ContactScreen } from '../../features/help/support-screen.tsx'
import { Live } from '../../features/shell/live.tsx'
import { described } from '../../features/parts/titled.ts'

export const Route = createFileRoute('/_public/contact')({ ...described('Contact', 'Write to the people who make Flashsheet.'), component: () => (
    <Live>
      <ContactScreen />
    </Live>
  ),
})
