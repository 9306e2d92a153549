import { createFileRoute } from '@tanstack/react-router'
import { NotHereYet } from '../../features/shell/not-here-yet.tsx'
import { titled } from '../../features/shell/titled.ts'
import { ButtonLink } from '../../ui/button-link.tsx'

export const Route = createFileRoute('/_app/help')({
  ...titled('Help'),
  component: () => (
    <NotHereYet motif="candle" what="Help is" actions={<ButtonLink to="/" hash="faqs">Read the FAQs</ButtonLink>}>
      <p>It comes with one of the next versions. The questions asked most often are answered on the start page.</p>
    </NotHereYet>
  ),
})
