import { createRouter, RouterProvider, type RouterHistory } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { NotFound } from './features/shell/not-found.tsx'
import { ScreenFailed } from './features/shell/screen-failed.tsx'
import { routeTree } from './routeTree.gen.ts'

/** The router over every route. `history` is given where there is no address bar: while pages are made at build. */
export function createAppRouter(history?: RouterHistory) {
  let isHydrated = false
  /** A page that was made at build can be scrolled before hydration: its scroll position stays. */
  const isOursToScroll = () => {
    const stays = !isHydrated && window.scrollY > 0
    isHydrated = true
    return !stays
  }
  return createRouter({
    routeTree,
    context: { live: async () => await import('./lib/shared-query-client.ts') },
    defaultPreload: 'intent',
    // React Query decides what is fresh.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 200,
    defaultPendingMinMs: 300,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: ScreenFailed,
    // A page made at build would carry the script for it inline, which the security policy forbids.
    scrollRestoration: history === undefined && isOursToScroll,
    ...(history ? { history } : {}),
  })
}

export type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
  interface StaticDataRouteOption {
    /** Stands in the header of the signed-in shell and in the tab. */
    title?: string
  }
}

/** The whole app as it stands below `#root`. */
export function App({ router }: { router: AppRouter }) {
  return (
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>
  )
}
