import { createFileRoute } from '@tanstack/react-router'
import { ScheduledPostsScreen } from '../../../features/posts/scheduled-posts-screen.tsx'
import { titled } from '../../../features/shell/titled.ts'

export const Route = createFileRoute('/_app/_subscriber/scheduled-posts')({
  ...titled('Scheduled Posts'),
  loader: ({ context }) => {
    // Its posts set out together with its code; nothing waits for them here.
    void import('../../../features/posts/calendar-posts.ts').then(({ loadCalendar }) => loadCalendar(context))
  },
  component: ScheduledPostsScreen,
})
