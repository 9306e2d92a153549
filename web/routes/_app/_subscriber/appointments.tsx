import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { AppointmentsScreen } from '../../../features/appointments/appointments-screen.tsx'
import { titled } from '../../../features/shell/titled.ts'

export const Route = createFileRoute('/_app/_subscriber/appointments')({
  ...titled('Appointments'),
  // The appointment a notice or a mail is about.
  validateSearch: z.object({ appointment: z.uuid().optional().catch(undefined) }),
  component: Appointments,
})

function Appointments() {
  const { appointment } = Route.useSearch()
  const navigate = Route.useNavigate()
  return <AppointmentsScreen linked={appointment} onUnlink={() => void navigate({ search: {}, replace: true })} />
}
