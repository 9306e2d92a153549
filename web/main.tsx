import './ui/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { NotFound } from './features/shell/not-found.tsx'
import { ScreenFailed } from './features/shell/screen-failed.tsx'
import { createQueryClient } from './lib/query-client.ts'
import { startSession } from './lib/session.ts'
import { createQueryUtils, trpc, trpcClient } from './lib/trpc.ts'
import { routeTree } from './routeTree.gen.ts'
import { Toasts } from './ui/toast.tsx'

const queryClient = createQueryClient()
startSession(queryClient)

const router = createRouter({
  routeTree,
  context: { queryClient, trpc: createQueryUtils(queryClient) },
  defaultPreload: 'intent',
  // React Query decides what is fresh.
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 200,
  defaultPendingMinMs: 300,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: ScreenFailed,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    /** Stands in the header of the signed-in shell and in the tab. */
    title?: string
  }
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <trpc.Provider client={trpcClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </trpc.Provider>
  </StrictMode>,
)
