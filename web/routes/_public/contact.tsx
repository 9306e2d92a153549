import { createFileRoute } from '@tanstack/react-router'
import { NotHereYet } from '../../features/shell/not-here-yet.tsx'
import { described } from '../../features/shell/titled.ts'
import { ButtonLink } from '../../ui/button-link.tsx'

export const Route = createFileRoute('/_public/contact')({
  ...described('Contact', 'Write to the people who make Flashsheet.'),
  component: () => (
    <NotHereYet motif="eye" what="The contact form is" actions={<ButtonLink to="/" hash="faqs">Read the FAQs</ButtonLink>}>
      <p>It comes with one of the next versions.</p>
    </NotHereYet>
  ),
})
