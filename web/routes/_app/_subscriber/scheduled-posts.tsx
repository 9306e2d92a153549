import { createFileRoute } from '@tanstack/react-router'
import { filterParams } from '../../../features/posts/calendar-filter.ts'
import { ScheduledPostsScreen } from '../../../features/posts/scheduled-posts-screen.tsx'
import { titled } from '../../../features/shell/titled.ts'
import { reading, text } from '../../../lib/search.ts'

export const Route = createFileRoute('/_app/_subscriber/scheduled-posts')({
  ...titled('Scheduled Posts'),
  // `post`: what a notice or a mail is about.
  validateSearch: reading({ ...filterParams, post: text(36) }),
  loader: ({ context }) => {
    // Its posts set out together with its code; nothing waits for them here.
    void import('../../../features/posts/calendar-posts.ts').then(({ loadCalendar }) => loadCalendar(context))
  },
  component: ScheduledPosts,
})

function ScheduledPosts() {
  const { post, ...filter } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <ScheduledPostsScreen
      linked={post}
      onUnlink={() => void navigate({ search: filter, replace: true })}
      filter={filter}
      onFilter={(next) => void navigate({ search: { ...next, post }, replace: true })}
    />
  )
}
