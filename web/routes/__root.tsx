import { createRootRouteWithContext, HeadContent, Outlet } from '@tanstack/react-router'
import { RouteAnnouncer } from '../features/shell/route-announcer.tsx'
import { NotFound } from '../features/shell/not-found.tsx'
import { PublicShell } from '../features/shell/public-shell.tsx'
import type { RouterContext } from '../lib/router-context.ts'

export const Route = createRootRouteWithContext<RouterContext>()({
  head: () => ({ meta: [{ title: 'Flashsheet' }] }),
  component: Root,
  notFoundComponent: () => (
    <PublicShell>
      <NotFound />
    </PublicShell>
  ),
})

function Root() {
  return (
    <>
      <HeadContent />
      <Outlet />
      <RouteAnnouncer />
    </>
  )
}
