import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { ScheduledPostsScreen } from '../../../features/posts/scheduled-posts-screen.tsx'
import { titled } from '../../../features/shell/titled.ts'

export const Route = createFileRoute('/_app/_subscriber/scheduled-posts')({
  ...titled('Scheduled Posts'),
  // The post a notice or a mail is about.
  validateSearch: z.object({ post: z.uuid().optional().catch(undefined) }),
  loader: ({ context }) => {
    // Its posts set out together with its code; nothing waits for them here.
    void import('../../../features/posts/calendar-posts.ts').then(({ loadCalendar }) => loadCalendar(context))
  },
  component: ScheduledPosts,
})

function ScheduledPosts() {
  const { post } = Route.useSearch()
  const navigate = Route.useNavigate()
  return <ScheduledPostsScreen linked={post} onUnlink={() => void navigate({ search: {}, replace: true })} />
}
