import { QueryClientProvider } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { I18nProvider, RouterProvider } from 'react-aria-components'
import { onNextLogIn, onOtherUser } from '../../lib/remembered-user.ts'
import { saveUnsentText } from '../../lib/session-end.ts'
import { queryClient } from '../../lib/shared-query-client.ts'
import { trpc, trpcClient } from '../../lib/trpc.ts'
import { closeToasts, showToasts } from '../../ui/toast.tsx'

/** From the other user's log-in on, every call of this tab would act for that user. */
function loadForOtherUser(): void {
  saveUnsentText()
  location.reload()
}

// Undo in a toast of the former user would act for the new one.
onNextLogIn((isOtherUser) => isOtherUser && closeToasts())

/** Wraps every screen that calls the server or uses react-aria components. Static pages do without, to keep their bundle small. */
export function AppProviders({ children }: { children: ReactNode }) {
  const router = useRouter()
  useEffect(showToasts, [])
  useEffect(() => onOtherUser(loadForOtherUser), [])
  return (
    <trpc.Provider client={trpcClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <I18nProvider locale="en-US">
          <RouterProvider navigate={(href) => void router.navigate({ href })}>{children}</RouterProvider>
        </I18nProvider>
      </QueryClientProvider>
    </trpc.Provider>
  )
}
