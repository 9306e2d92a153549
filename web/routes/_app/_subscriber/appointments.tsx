import { createFileRoute } from '@tanstack/react-router'
import { NotHereYet } from '../../../features/shell/not-here-yet.tsx'
import { titled } from '../../../features/shell/titled.ts'
import { ButtonLink } from '../../../ui/button-link.tsx'

export const Route = createFileRoute('/_app/_subscriber/appointments')({
  ...titled('Appointments'),
  component: () => (
    <NotHereYet motif="dagger" what="Appointments are" actions={<ButtonLink to="/new-post" variant="primary">New Post</ButtonLink>}>
      <p>Bookings come with one of the next versions.</p>
    </NotHereYet>
  ),
})
