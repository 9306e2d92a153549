import { createFileRoute } from '@tanstack/react-router'
import { AppointmentsScreen } from '../../../features/appointments/appointments-screen.tsx'
import { routeTitle } from '../../../features/parts/route-head.ts'
import { searchValidator, text } from '../../../lib/search.ts'

export const Route = createFileRoute('/_app/_subscriber/appointments')({
  ...routeTitle('Appointments'),
  // `appointment`: the id in a link of a notice or an email.
  validateSearch: searchValidator({ appointment: text(36) }),
  component: Appointments,
})

function Appointments() {
  const { appointment } = Route.useSearch()
  const navigate = Route.useNavigate()
  return <AppointmentsScreen linked={appointment} onUnlink={() => void navigate({ search: {}, replace: true })} />
}
