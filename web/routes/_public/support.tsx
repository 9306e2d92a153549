import { createFileRoute } from '@tanstack/react-router'
import { NotHereYet } from '../../features/shell/not-here-yet.tsx'
import { described } from '../../features/shell/titled.ts'
import { ButtonLink } from '../../ui/button-link.tsx'

export const Route = createFileRoute('/_public/support')({
  ...described('Support', 'How to get help with Flashsheet.'),
  component: () => (
    <NotHereYet motif="candle" what="The support page is" actions={<ButtonLink to="/" hash="faqs">Read the FAQs</ButtonLink>}>
      <p>The questions asked most often are answered on the start page.</p>
    </NotHereYet>
  ),
})
