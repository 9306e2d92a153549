import { createFileRoute } from '@tanstack/react-router'
import { filterParams } from '../../../features/posts/calendar/calendar-filter.ts'
import { ScheduledPostsScreen } from '../../../features/posts/calendar/scheduled-posts-screen.tsx'
import { routeTitle } from '../../../features/parts/route-head.ts'
import { searchValidator, text } from '../../../lib/search.ts'

export const Route = createFileRoute('/_app/_subscriber/scheduled-posts')({
  ...routeTitle('Scheduled Posts'),
  // `post`: the id in a link of a notice or an email.
  validateSearch: searchValidator({ ...filterParams, post: text(36) }),
  loader: async ({ context }) => {
    // The posts are requested in parallel with the screen's code. Navigation does not wait for them.
    void import('../../../features/posts/calendar/calendar-posts.ts').then(({ loadCalendar }) => loadCalendar(context))
    // Waits briefly for the data of the notes above the calendar, which would shift it later. On the first load these calls are in one batch
    // with the guard's call.
    const { posts, auth } = context.trpc
    const notes = Promise.all([posts.endangered.prefetch(), auth.studioZone.prefetch(undefined, { staleTime: 60_000 })])
    await Promise.race([notes, new Promise((resolve) => setTimeout(resolve, 150))])
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
