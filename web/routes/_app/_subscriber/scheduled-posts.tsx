import { createFileRoute } from '@tanstack/react-router'
import { filterParams } from '../../../features/posts/calendar/calendar-filter.ts'
import { ScheduledPostsScreen } from '../../../features/posts/calendar/scheduled-posts-screen.tsx'
import { routeTitle } from '../../../features/parts/route-head.ts'
import { reading, text } from '../../../lib/search.ts'

export const Route = createFileRoute('/_app/_subscriber/scheduled-posts')({
  ...routeTitle('Scheduled Posts'),
  // `post`: what a notice or a mail is about.
  validateSearch: reading({ ...filterParams, post: text(36) }),
  loader: async ({ context }) => {
    // Its posts set out together with its code; nothing waits for them here.
    void import('../../../features/posts/calendar/calendar-posts.ts').then(({ loadCalendar }) => loadCalendar(context))
    // What stands above the calendar is waited for, a moment at most: it would push the days down. On the first load it travels with
    // what the guard asks for anyway.
    const { posts, auth } = context.trpc
    const above = Promise.all([
      posts.endangered.prefetch(undefined, { staleTime: 5000 }),
      auth.studioZone.prefetch(undefined, { staleTime: Infinity }),
    ])
    await Promise.race([above, new Promise((resolve) => setTimeout(resolve, 150))])
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
