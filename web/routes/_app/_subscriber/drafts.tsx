import { createFileRoute } from '@tanstack/react-router'
import { DraftsScreen } from '../../../features/posts/drafts/drafts-screen.tsx'
import { routeTitle } from '../../../features/parts/route-head.ts'

export const Route = createFileRoute('/_app/_subscriber/drafts')({
  ...routeTitle('Drafts'),
  loader: ({ context }) => {
    void context.trpc.drafts.list.prefetch({})
    void context.trpc.media.list.prefetch()
    void context.trpc.social.accounts.prefetch()
  },
  component: DraftsScreen,
})
