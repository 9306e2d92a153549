import { createFileRoute } from '@tanstack/react-router'
import { libraryShows } from '../../../features/media/library-filter.ts'
import { MediaScreen } from '../../../features/media/media-screen.tsx'
import { routeTitle } from '../../../features/parts/route-head.ts'
import { PostMedia } from '../../../features/posts/parts/post-media.tsx'
import { oneOf } from '../../../lib/read-stored-json.ts'
import { searchValidator } from '../../../lib/search.ts'

export const Route = createFileRoute('/_app/_subscriber/media')({
  ...routeTitle('Media'),
  validateSearch: searchValidator({ tab: oneOf(['all', 'gallery']), show: oneOf(libraryShows) }),
  loader: ({ context }) => {
    // Requested in parallel with the screen's code. The screen has skeletons, so navigation does not wait.
    void context.trpc.media.list.prefetch()
    void context.trpc.posts.mediaUses.prefetch()
  },
  component: Media,
})

function Media() {
  const search = Route.useSearch()
  const { tab = 'all', show = 'all' } = search
  const navigate = Route.useNavigate()
  return (
    <MediaScreen
      tab={tab}
      onTab={(next) => void navigate({ search: { ...search, tab: next === 'all' ? undefined : next }, replace: true })}
      show={show}
      onShow={(next) =>
        void navigate({ search: { ...search, show: next === 'all' ? undefined : next }, replace: true })
      }
      primaryAction={(items) => <PostMedia items={items} />}
    />
  )
}
