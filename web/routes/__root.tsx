import { createRootRouteWithContext, HeadContent, Outlet, useRouter } from '@tanstack/react-router'
import { I18nProvider, RouterProvider } from 'react-aria-components'
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
  const router = useRouter()
  return (
    <I18nProvider locale="en-US">
      <RouterProvider navigate={(href) => void router.navigate({ href })}>
        <HeadContent />
        <Outlet />
      </RouterProvider>
    </I18nProvider>
  )
}
