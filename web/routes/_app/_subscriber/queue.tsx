import { createFileRoute } from '@tanstack/react-router'
import { QueueScreen } from '../../../features/posts/queue/queue-screen.tsx'
import { routeTitle } from '../../../features/parts/route-head.ts'

export const Route = createFileRoute('/_app/_subscriber/queue')({
  ...routeTitle('Queue'),
  loader: ({ context }) => {
    void context.trpc.posts.queue.prefetch()
    void context.trpc.social.accounts.prefetch()
    void context.trpc.posts.nextSlots.prefetch({ count: 5 })
  },
  component: QueueScreen,
})
