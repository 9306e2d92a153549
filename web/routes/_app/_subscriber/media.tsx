import { createFileRoute } from '@tanstack/react-router'
import { MediaScreen } from '../../../features/media/media-screen.tsx'
import { routeTitle } from '../../../features/parts/route-head.ts'
import { oneOf, reading } from '../../../lib/search.ts'

export const Route = createFileRoute('/_app/_subscriber/media')({
  ...routeTitle('Media'),
  validateSearch: reading({ tab: oneOf(['all', 'gallery']) }),
  loader: ({ context }) => {
    // On its way together with the screen's code; nothing waits for it here.
    void context.trpc.media.list.prefetch()
  },
  component: Media,
})

function Media() {
  const { tab = 'all' } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <MediaScreen
      tab={tab}
      onTab={(next) => void navigate({ search: { tab: next === 'all' ? undefined : next }, replace: true })}
    />
  )
}
