import { createRouter, RouterProvider, type RouterHistory } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { NotFound } from './features/shell/not-found.tsx'
import { ScreenFailed } from './features/shell/screen-failed.tsx'
import { routeTree } from './routeTree.gen.ts'

/** `history` is given when pages are prerendered at build time, without a browser. */
export function createAppRouter(history?: RouterHistory) {
  let isHydrated = false
  /** False once, for a prerendered page that the user has scrolled before hydration. */
  const mayRestoreScroll = () => {
    const wasScrolledEarly = !isHydrated && window.scrollY > 0
    isHydrated = true
    return !wasScrolledEarly
  }
  return createRouter({
    routeTree,
    context: { live: async () => await import('./lib/shared-query-client.ts') },
    defaultPreload: 'intent',
    // React Query decides whether data is fresh.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 200,
    defaultPendingMinMs: 300,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: ScreenFailed,
    // At build time the router would add an inline script, which the content security policy forbids.
    scrollRestoration: history === undefined && mayRestoreScroll,
    ...(history ? { history } : {}),
  })
}

export type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
  interface StaticDataRouteOption {
    /** The title in the header of the signed-in shell and of the document. */
    title?: string
  }
}

export function App({ router }: { router: AppRouter }) {
  return (
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>
  )
}
