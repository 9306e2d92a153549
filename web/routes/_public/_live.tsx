import { createFileRoute, Outlet } from '@tanstack/react-router'
import { AppProviders } from '../../features/shell/app-providers.tsx'

/** Public pages that call the server or have react-aria components. The others load neither. */
export const Route = createFileRoute('/_public/_live')({
  component: () => (
    <AppProviders>
      <Outlet />
    </AppProviders>
  ),
})
